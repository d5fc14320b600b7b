// Fibres: stacks that a simulated thread runs on, and the switch between two of them.
//
// The switch is a call, so only what a callee must preserve is saved: a few registers on the stack that is left.
// x86-64 (System V) and AArch64 have it by hand; elsewhere ucontext does the same, slower.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__linux__) && defined(__x86_64__)
#define RT_SIM_SWITCH 1
// Text is emitted by every file that includes this; the linker keeps one (comdat).
asm(R"(
    .pushsection .text.rt_sim_switch,"axG",@progbits,rt_sim_switch,comdat
    .weak rt_sim_switch
    .type rt_sim_switch,@function
rt_sim_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size rt_sim_switch,.-rt_sim_switch
    .popsection
)");
#elif defined(__linux__) && defined(__aarch64__)
#define RT_SIM_SWITCH 1
asm(R"(
    .pushsection .text.rt_sim_switch,"axG",@progbits,rt_sim_switch,comdat
    .weak rt_sim_switch
    .type rt_sim_switch,@function
rt_sim_switch:
    sub sp, sp, #160
    stp x19, x20, [sp]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size rt_sim_switch,.-rt_sim_switch
    .popsection
)");
#else
#include <ucontext.h>
#endif

#ifdef RT_SIM_SWITCH
extern "C" void rt_sim_switch(void **save, void *to);
#endif

namespace rt_sim {

// Where a fibre (or the host's own stack) stands while it does not run.
struct context {
#ifdef RT_SIM_SWITCH
    void *stack_pointer = nullptr;
    void start(char *stack, size_t bytes, void (*entry)())
    {
        void **top = (void **)(stack + bytes); // page-aligned, so aligned as the ABIs ask
#ifdef __x86_64__
        top[-1] = nullptr; // the entry's return address: it never returns
        top[-2] = (void *)entry;
        stack_pointer = top - 8; // below it, six registers of no meaning
#else
        top[-9] = (void *)entry; // x30 in the frame of 160 bytes
        stack_pointer = top - 20;
#endif
    }
    void resume(context &to) { rt_sim_switch(&stack_pointer, to.stack_pointer); }
#else
    ucontext_t state;
    void start(char *stack, size_t bytes, void (*entry)())
    {
        getcontext(&state);
        state.uc_stack.ss_sp = stack;
        state.uc_stack.ss_size = bytes;
        state.uc_link = nullptr;
        makecontext(&state, entry, 0);
    }
    void resume(context &to) { swapcontext(&state, &to.state); }
#endif
};

// Stacks are address space until they are touched; the lowest page is a guard.
constexpr size_t stack_bytes = 1 << 20, guard_bytes = 64 << 10;

struct fiber : context {
    explicit fiber(void (*entry)())
    {
        void *stack =
            mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED) {
            fprintf(stderr, "rtcuda: the simulation cannot map a stack of %zu bytes for one more thread\n",
                    stack_bytes);
            exit(3);
        }
        mprotect(stack, guard_bytes, PROT_NONE);
        start((char *)stack, stack_bytes, entry);
    }
};

// Fibres that run no thread at the moment. They are made once and kept to the end of the program.
inline rt::list<fiber *> idle_fibers;

inline fiber *take_fiber(void (*entry)())
{
    if (idle_fibers.empty()) return new fiber(entry);
    fiber *f = idle_fibers.back();
    idle_fibers.pop_back();
    return f;
}

} // namespace rt_sim

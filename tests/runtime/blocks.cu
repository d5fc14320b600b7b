// The table of blocks: what the program allocates is in it until it gives it back, whoever asks for it and in whichever
// thread; and what is found out of it.
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rt_runtime.h"

static int faults = 0;
static void expect(const bool holds, const char *what)
{
    if (!holds) faults++, printf("not so: %s\n", what);
}
static bool is_known(const void *const at, const size_t bytes)
{
    const char *const first = (const char *)at;
    const rt::block found = rt::blocks.around(first + bytes / 2);
    return found.first == first && found.last == first + bytes;
}
static bool is_unknown(const void *const at) { return !rt::blocks.around(at).is_some(); }

static void one_after_the_other()
{
    char *volatile a = (char *)malloc(50000);
    expect(is_known(a, 50000), "malloc");
    expect(is_unknown(a - 1) && is_unknown(a + 50000), "nothing before a block and behind it");
    a = (char *)realloc(a, 3000000);
    expect(is_known(a, 3000000), "realloc to more");
    char *volatile const before = a;
    a = (char *)realloc(a, 35000);
    expect(is_known(a, 35000) && is_unknown(before + 2000000), "realloc to less");
    a = (char *)realloc(a, 100);
    expect(is_unknown(a), "realloc to very little");
    free(a);
    double *volatile b = (double *)calloc(5000, sizeof *b);
    expect(is_known(b, 40000), "calloc");
    free(b);
    expect(is_unknown(b), "free");
    void *volatile c = aligned_alloc(64, 64 * 1000);
    expect(is_known(c, 64000) && (size_t)c % 64 == 0, "aligned_alloc");
    free(c);
    void *d = nullptr;
    expect(posix_memalign(&d, 4096, 36864) == 0 && is_known(d, 36864), "posix_memalign");
    free(d);
    char *line = nullptr, *const *const volatile lines = &line;
    size_t room = 0;
    FILE *const text = open_memstream(&line, &room);
    for (int i = 0; i < 20000; i++) fputs("text", text);
    fclose(text);
    expect(rt::blocks.around(*lines + 40000).is_some(), "what the C library allocates");
    free(line);
    int *volatile e = new int[10000];
    expect(is_known(e, 40000), "what C++ allocates");
    delete[] e;
    expect(is_unknown(e), "what C++ gives back");
}

static void reused()
{
    // The same place again and again, at other lengths; what is little is unknown.
    for (size_t bytes = 100000; bytes > 10; bytes -= bytes / 7 + 1) {
        char *volatile const a = (char *)malloc(bytes);
        expect(bytes < rt::block_table::least_bytes ? is_unknown(a) : is_known(a, bytes), "a block at a place of another");
        free(a);
        expect(is_unknown(a), "a block that was given back");
    }
}

static void in_children()
{
    char *volatile const a = (char *)malloc(50000);
    const pid_t child = fork();
    if (child == 0) {
        char *volatile const b = (char *)malloc(60000);
        const bool is_so = is_known(a, 50000) && is_known(b, 60000);
        free(b);
        free(a);
        _exit(is_so && is_unknown(a) ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    expect(status == 0 && is_known(a, 50000), "a child has the table, and changes its own");
    free(a);
}

// Threads allocate, resize and give back at random; each knows what its own blocks are.
static unsigned drawn(unsigned &seed) { return (seed = seed * 1664525u + 1013904223u) >> 8; }
static void *at_random(void *const which)
{
    unsigned seed = (unsigned)(uintptr_t)which * 7919u + 1;
    struct {
        char *at;
        size_t bytes;
    } own[64] = {};
    size_t wrong = 0;
    for (int step = 0; step < 20000; step++) {
        auto &one = own[drawn(seed) % 64];
        const size_t bytes = drawn(seed) % 5 == 0 ? drawn(seed) % 600000 : drawn(seed) % 60000;
        if (one.at && drawn(seed) % 2) {
            free(one.at);
            one.at = nullptr;
        } else {
            char *const at = (char *)realloc(one.at, bytes + 1);
            if (at) one = {at, bytes + 1};
        }
        if (one.at) wrong += one.bytes < rt::block_table::least_bytes ? !is_unknown(one.at) : !is_known(one.at, one.bytes);
    }
    for (const auto &one : own) free(one.at);
    return (void *)wrong;
}
static void in_threads()
{
    pthread_t threads[4];
    size_t wrong = 0;
    for (size_t k = 0; k < 4; k++) pthread_create(&threads[k], nullptr, at_random, (void *)k);
    for (pthread_t &thread : threads) {
        void *of_thread = nullptr;
        pthread_join(thread, &of_thread);
        wrong += (size_t)of_thread;
    }
    expect(wrong == 0, "blocks of threads");
}

static double field[3000];
static void how_far()
{
    const auto covers = [](const void *at, const long first, const long last) {
        return rt::reach::covers(at, {first, last}, sizeof(double), true);
    };
    double *const a = (double *)calloc(5000, sizeof *a), *const few = (double *)calloc(20, sizeof *few);
    rt::reach r = covers(a, 0, 5000);
    expect(r.is_there && r.is_block && !r.is_shared, "a block by itself");
    expect(!covers(a, 0, 1000000).is_there && !covers(a, -1000000, 1).is_there, "beyond a block");
    r = covers(a + 1000, -1000, 4000);
    expect(r.is_there && r.is_block, "from the middle of a block, to both sides");
    expect(covers(a, 0, 0).is_there && covers(nullptr, 3, 2).is_there, "of nothing all is there");
    expect(!covers(nullptr, 0, 1).is_there && !covers(a, 0, __LONG_MAX__).is_there, "no memory");
    r = covers(few, 0, 20);
    expect(r.is_there && r.is_shared, "a little block, which others may lie beside");
    double local[30] = {};
    expect(covers(local, 0, 30).is_there && covers(field, 0, 3000).is_there, "the stack, and a static array");
    r = rt::reach::whole(a + 100, sizeof(double), false);
    expect(r.is_there && r.held == 4900 && !r.is_shared, "the rest of a block");
    r = rt::reach::whole(a + 100, sizeof(double), false, {a + 50, a + 300, few, a + 700});
    expect(r.is_there && r.held == 200, "as far as the next of other arrays in the block");
    r = rt::reach::whole(few, sizeof(double), true);
    expect(r.is_there && r.held >= 20 && r.held < 24 && r.is_shared, "a little block as a whole");
    r = rt::reach::whole(few + 4, sizeof(double), true);
    expect(r.is_there && r.held >= 16 && r.held < 20 && r.is_shared, "the rest of a little block");
    expect(!rt::reach::whole(few - 1, sizeof(double), false).is_there, "what stands before a little block");
    expect(!rt::reach::whole(rt::heap().last, sizeof(double), false).is_there, "what is behind the heap");
    expect(!rt::reach::whole(local, sizeof(double), false).is_there, "the stack has no blocks");
    r = rt::reach::whole(field + 1000, sizeof(double), true);
    expect(r.is_there && r.is_block && r.held == 2000, "the rest of a static array");
    expect(!rt::reach::whole(nullptr, 8, false).is_there, "nor has what is nowhere");
    free(a);
    free(few);
}

// An array that grows by an element at a time, alone and beside another; its end is known after each call, and what stands where
// it grows to is given back unseen.
static void one_by_one()
{
    char *volatile a = nullptr, *volatile b = nullptr;
    bool is_right = true;
    for (size_t n = 8; n < 300000; n += 8) {
        a = (char *)realloc(a, n);
        if (n % 3 == 0) b = (char *)realloc(b, n / 2 + 40000);
        if (n >= rt::block_table::least_bytes) is_right &= n % 1024 != 0 || is_known(a, n);
        if (n % 3 == 0) is_right &= n % 1032 != 0 || is_known(b, n / 2 + 40000);
    }
    expect(is_right, "realloc by an element at a time");
    free(a), free(b);
    expect(is_unknown(a) && is_unknown(b), "free after realloc");

    static char memory[1 << 20];
    rt::blocks.add(memory, 40000);
    rt::blocks.add(memory + 50000, 40000);
    expect(rt::blocks.is_free_to_move(memory) && !rt::blocks.resize(memory, 60000), "a block grows where another was");
    expect(rt::blocks.resize(memory, 41000) && is_known(memory, 41000), "a block grows where none was");
    rt::blocks.note_guard(memory + 5);
    expect(!rt::blocks.is_free_to_move(memory), "a guarded block is not moved unseen");
    rt::blocks.take(memory), rt::blocks.take(memory + 50000);
    expect(!rt::blocks.is_free_to_move(memory), "a block that is given back is not known");
}

int main()
{
    expect(rt::is_told(), "the table is told");
    one_after_the_other();
    reused();
    one_by_one();
    in_children();
    in_threads();
    how_far();
    printf("%d faults\n", faults);
    return faults != 0;
}

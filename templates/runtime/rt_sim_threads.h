// The threads of a simulated block, and what makes them wait for each other: barriers and warp operations.
//
// Blocks run one after another. The threads of a block are fibres: a thread runs until it ends or waits. One that ends
// leaves its stack to the next, so a kernel without barriers runs its threads as a loop would. $RT_SIM_ORDER sets the
// order of blocks, and of threads in a block.
//
// Blocks that wait for each other are all resident, each with a `block_run` of its own. They too run one after another,
// each from one barrier of the grid to the next: what they do between two of them is ordered by nothing, and the
// shadow memory tells what depends on it. A barrier of the grid opens when every block has gone as far as it can.
#pragma once

#include "rt_math.h"
#include "rt_sim_copies.h"
#include "rt_sim_fiber.h"

namespace rt_sim {

enum class thread_state : unsigned char { unstarted, running, ready, at_barrier, at_grid_barrier, in_warp_op, done };

struct thread {
    thread_state state;
    fiber *stack;
    rt_where at;             // where it waits
    unsigned long sent, got; // the words of a shuffle
    unsigned mask, source;   // of a shuffle: who takes part, which lane is read
    copy_queue copies;
};
constexpr unsigned no_source = 32; // of a __syncwarp, which unlike a shuffle orders memory too

// A block that runs, or waits for others.
struct block_run {
    unsigned number = 0; // of the resident blocks
    tag began = 0;       // its first stamp
    unsigned size = 0, next = 0, done = 0, arrived = 0, arrived_at_grid = 0;
    rt::list<unsigned> order; // of its threads
    rt::list<thread> threads;
    rt::list<unsigned> ready; // a ring of threads that waited and may go on
    unsigned ready_first = 0, ready_count = 0;
    rt::list<unsigned> warp_stamp;
    // Of waits for neighbours: who they are at the one that it has come to, how many it has come to, its clock now, and what
    // it was at the last two of them.
    rt::list<unsigned> neighbours;
    bool waits_for_neighbours = false;
    unsigned waits = 0;
    rt::list<unsigned> behind, at_wait[2];
    fiber *current = nullptr;       // the stack that runs
    context host;                   // where to go when no thread can go on
    void (*call)(void *) = nullptr; // runs the kernel for the thread that is set in `now`
    void *arguments = nullptr;
};
inline block_run first_run;
inline block_run *run = &first_run;

inline void set_current(const unsigned t)
{
    now.thread = t;
    now.thread_idx = thread_at(t);
    now.me = floor_of(run->warp_stamp[t / 32]) | (tag)t << line_bits;
    run->threads[t].state = thread_state::running;
}

inline void make_ready(const unsigned t)
{
    run->threads[t].state = thread_state::ready;
    run->ready[(run->ready_first + run->ready_count++) % run->size] = t;
}

inline unsigned take_ready()
{
    const unsigned t = run->ready[run->ready_first];
    run->ready_first = (run->ready_first + 1) % run->size;
    run->ready_count--;
    return t;
}

inline void new_interval()
{
    now.interval_floor = floor_of(++now.stamp);
    for (unsigned &stamp : run->warp_stamp) stamp = now.stamp;
}

[[gnu::cold, gnu::noinline]] inline void add_waiting(const char *kind, const unsigned t, const rt::text &message)
{
    add_finding(
        {kind, now.kernel, "", "", message, 0, {"waits", now.block, thread_at(t), run->threads[t].at}, false, {}, 1});
}

// Lets those who wait at the barrier go on. All threads of a block wait at the same one.
inline void open_barrier()
{
    run->arrived = 0;
    new_interval();
    unsigned first = run->size, apart = run->size;
    for (const unsigned t : run->order) {
        if (run->threads[t].state != thread_state::at_barrier) continue;
        if (first == run->size) first = t;
        if (run->threads[t].at.line != run->threads[first].at.line) apart = t;
        make_ready(t);
    }
    if (apart == run->size) return;
    add_waiting("divergent-barrier", apart,
                rt::format("threads of one block wait at different barriers: thread %s at line %d",
                           thread_at(first).text().c_str(), run->threads[first].at.line));
}

inline unsigned lanes_of(const unsigned warp)
{
    const unsigned left = run->size - warp * 32;
    return left >= 32 ? ~0u : (1u << left) - 1;
}

// Ends a warp operation for the lanes that arrived with this mask.
inline void finish_warp_op(const unsigned warp, const unsigned mask)
{
    thread *const lane = &run->threads[warp * 32];
    const unsigned lanes = mask & lanes_of(warp);
    unsigned there = 0;
    for (unsigned l = 0; l < 32; l++)
        if (lanes >> l & 1 && lane[l].state == thread_state::in_warp_op && lane[l].mask == mask) there |= 1u << l;
    for (unsigned l = 0; l < 32; l++) {
        if (there >> l & 1 && lane[l].source == no_source) run->warp_stamp[warp] = ++now.stamp;
        // What a lane reads of one that takes no part is undefined: a pattern that shows.
        if (there >> l & 1)
            lane[l].got = lane[l].source < 32 && there >> lane[l].source & 1 ? lane[lane[l].source].sent : ~0ul;
    }
    for (const unsigned t : run->order)
        if (t / 32 == warp && there >> (t % 32) & 1) make_ready(t);
}

// Nobody can go on, and not all have ended: says why, and lets those who wait go on.
[[gnu::cold]] inline void release_stuck()
{
    unsigned shuffling = run->size, waiting = run->size, n_waiting = 0;
    for (unsigned t = run->size; t-- > 0;) {
        if (run->threads[t].state == thread_state::in_warp_op) shuffling = t;
        if (run->threads[t].state == thread_state::at_barrier) waiting = t, n_waiting++;
    }
    if (shuffling < run->size) {
        const unsigned warp = shuffling / 32, mask = run->threads[shuffling].mask;
        unsigned missing = mask & lanes_of(warp);
        for (unsigned l = 0; l < 32; l++) {
            if (!(missing >> l & 1)) continue;
            const thread &other = run->threads[warp * 32 + l];
            if (other.state == thread_state::in_warp_op && other.mask == mask) missing &= ~(1u << l);
        }
        add_waiting(
            "missing-lanes", shuffling,
            rt::format("a warp operation with mask 0x%08x is not reached by lanes 0x%08x: they ended or wait elsewhere",
                       mask, missing));
        return finish_warp_op(warp, mask);
    }
    add_waiting("divergent-barrier", waiting,
                rt::format("a barrier is reached by %u threads of a block of %u: the others ended before it%s",
                           n_waiting, run->size, run->arrived_at_grid ? " or wait for the grid" : ""));
    open_barrier();
}

// The stack of a thread that is ready, which is set to run; null where all that have not ended wait for other blocks.
inline fiber *next_ready()
{
    while (run->ready_count == 0) {
        if (run->done + run->arrived_at_grid == run->size) return nullptr;
        release_stuck();
    }
    const unsigned next = take_ready();
    set_current(next);
    return run->threads[next].stack;
}

inline void switch_stacks(fiber *const from, fiber *const to)
{
    if (to == from) return;
    if (to) run->current = to;
    from->resume(to ? *to : run->host);
}

inline void run_threads();

// Leaves the running stack for whatever is to run next, and comes back when its own thread is ready.
inline void wait_in(const thread_state why)
{
    const unsigned t = now.thread;
    fiber *const mine = run->current;
    run->threads[t].state = why;
    run->threads[t].stack = mine;
    if (why == thread_state::at_grid_barrier) run->arrived_at_grid++;
    if (why == thread_state::at_barrier && ++run->arrived == run->size) open_barrier();
    switch_stacks(mine, run->next < run->size ? take_fiber(run_threads) : next_ready());
}

// What every fibre does: the threads that have not begun, one after another, then it hands over to one that waits.
inline void run_threads()
{
    for (;;) {
        while (run->next < run->size) {
            set_current(run->order[run->next++]);
            run->call(run->arguments);
            run->threads[now.thread].copies.end();
            run->threads[now.thread].state = thread_state::done;
            run->done++;
        }
        fiber *const mine = run->current;
        idle_fibers.push_back(mine);
        switch_stacks(mine, next_ready());
    }
}

// ---- the order of blocks and threads

struct ordering : rt::generator {
    enum { forward, reverse, shuffle } kind = forward;
    ordering()
    {
        const char *text = rt::env("RT_SIM_ORDER");
        if (!text || strcmp(text, "forward") == 0) return;
        if (strcmp(text, "reverse") == 0)
            kind = reverse;
        else if (sscanf(text, "shuffle:%lu", &state) == 1)
            kind = shuffle;
        else {
            fprintf(stderr, "rtcuda: RT_SIM_ORDER=%s: expected forward, reverse or shuffle:SEED\n", text);
            exit(2);
        }
    }
    void fill(rt::list<unsigned> &out, const unsigned n)
    {
        out.assign(n, 0);
        for (unsigned i = 0; i < n; i++) out[i] = kind == reverse ? n - 1 - i : i;
        if (kind != shuffle) return;
        for (unsigned i = n; i > 1; i--) {
            const unsigned j = draw(i), held = out[j];
            out[j] = out[i - 1];
            out[i - 1] = held;
        }
    }
};

inline ordering order;

// ---- launches

inline void begin_launch(const rt_size3 grid, const rt_size3 block)
{
    now.grid_dim = {(unsigned)grid.x, (unsigned)grid.y, (unsigned)grid.z};
    now.block_dim = {(unsigned)block.x, (unsigned)block.y, (unsigned)block.z};
    now.launch_floor = now.phase_floor = floor_of(++now.stamp);
    now.blocks.clear();
}

inline void prepare(block_run &r, void (*call)(void *), void *arguments)
{
    r.size = now.block_dim.x * now.block_dim.y * now.block_dim.z;
    r.threads.assign(r.size, {});
    r.ready.assign(r.size, 0);
    r.warp_stamp.assign((r.size + 31) / 32, 0);
    r.order.clear();
    r.call = call;
    r.arguments = arguments;
}

// What a block does from here on is apart from what all others do, up to a barrier of the grid.
inline void enter_block(block_run &r, const unsigned b)
{
    const index3 &g = now.grid_dim;
    run = &r;
    now.block = {b % g.x, b / g.x % g.y, b / (g.x * g.y)};
    new_interval();
    now.block_floor = now.interval_floor;
    now.blocks.push_back({now.stamp, now.block});
}

// Runs a block from its beginning to its end, or to a barrier of the grid.
inline void start_block(block_run &r, const unsigned b)
{
    r.next = r.done = r.arrived = r.arrived_at_grid = 0;
    r.ready_first = r.ready_count = 0;
    if (order.kind == ordering::shuffle || r.order.empty()) order.fill(r.order, r.size);
    for (thread &t : r.threads) t.state = thread_state::unstarted;
    enter_block(r, b);
    r.began = now.block_floor;
    now.tile_floor = r.began;
    r.current = take_fiber(run_threads);
    r.host.resume(*r.current);
}

// Runs a block on from a barrier of the grid that has opened.
inline void continue_block(block_run &r, const unsigned b)
{
    enter_block(r, b);
    now.tile_floor = r.began;
    r.arrived_at_grid = 0;
    for (const unsigned t : r.order)
        if (r.threads[t].state == thread_state::at_grid_barrier) make_ready(t);
    r.current = next_ready();
    r.host.resume(*r.current);
}

inline void run_grid(const rt_size3 grid, const rt_size3 block, void (*call)(void *), void *arguments)
{
    begin_launch(grid, block);
    prepare(first_run, call, arguments);
    rt::list<unsigned> blocks;
    order.fill(blocks, (unsigned)grid.count());
    for (const unsigned b : blocks) start_block(first_run, b);
    now.thread_idx = now.block = {};
}

// ---- blocks that wait for each other

// A thread that waits for the whole grid.
struct grid_waiter {
    block_run *block;
    unsigned thread;
    rt_where at() const { return block->threads[thread].at; }
    rt::text text() const { return rt::format("%s of block %u", thread_at(thread).text().c_str(), block->number); }
};

// All have gone as far as they can: whether all of them wait at the same barrier. Says so if not.
inline void look_over_grid(rt::list<block_run> &blocks)
{
    grid_waiter first{}, apart{};
    unsigned long n_waiting = 0, n_threads = 0;
    for (block_run &r : blocks) {
        n_threads += r.size;
        n_waiting += r.arrived_at_grid;
        for (unsigned t = 0; t < r.size && r.arrived_at_grid > 0; t++) {
            if (r.threads[t].state != thread_state::at_grid_barrier) continue;
            if (!first.block) first = {&r, t};
            if (r.threads[t].at.line != first.at().line) apart = {&r, t};
        }
    }
    if (n_waiting == n_threads && !apart.block) return;
    const grid_waiter &who = apart.block ? apart : first;
    run = who.block;
    now.block = {who.block->number, 0, 0};
    add_waiting("divergent-barrier", who.thread,
                apart.block ? rt::format("threads wait at different barriers of the grid: thread %s at line %d",
                                         first.text().c_str(), first.at().line)
                            : rt::format("a barrier of the grid is reached by %lu of its %lu threads: the others ended "
                                         "before it",
                                         n_waiting, n_threads));
}

// A block has gone as far as it can: where it waits for neighbours, what it did is behind whoever waits for it.
inline void note_wait(block_run &r)
{
    now.behind = nullptr;
    if (!r.waits_for_neighbours || r.arrived_at_grid < r.size) return;
    r.waits++;
    r.behind[r.number] = now.stamp;
    r.at_wait[r.waits % 2] = r.behind;
}

// Test that all neighbours of a block have come to the wait where it stands.
inline bool may_go_on(const rt::list<block_run> &blocks, const block_run &r)
{
    if (!r.waits_for_neighbours || r.arrived_at_grid < r.size) return false;
    for (const unsigned b : r.neighbours)
        if (blocks[b].waits < r.waits) return false;
    return true;
}

// The same block, with all that its neighbours had behind them when they came to that wait, or at least that.
inline void go_on(rt::list<block_run> &blocks, block_run &r)
{
    for (const unsigned b : r.neighbours) {
        const block_run &other = blocks[b];
        const rt::list<unsigned> &clock = other.at_wait[(other.waits > r.waits + 1 ? other.waits - 1 : r.waits) % 2];
        for (size_t k = 0; k < r.behind.size(); k++) r.behind[k] = rt_max(r.behind[k], clock[k]);
    }
    r.waits_for_neighbours = false;
    now.behind = r.behind.begin();
    continue_block(r, r.number);
    note_wait(r);
}

// Lets blocks go on whose neighbours let them, each as far as it can, until none may.
inline void go_on_by_neighbours(rt::list<block_run> &blocks, rt::list<unsigned> &turns)
{
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        if (order.kind == ordering::shuffle) order.fill(turns, (unsigned)turns.size());
        for (const unsigned b : turns) {
            while (may_go_on(blocks, blocks[b])) go_on(blocks, blocks[b]), is_moving = true;
        }
    }
}

inline void run_resident(const rt_size3 grid, const rt_size3 block, void (*call)(void *), void *arguments)
{
    const unsigned n_blocks = (unsigned)grid.x;
    begin_launch(grid, block);
    rt::list<block_run> blocks;
    blocks.assign(n_blocks, {});
    rt::list<unsigned> turns;
    order.fill(turns, n_blocks);
    for (unsigned b = 0; b < n_blocks; b++) {
        blocks[b].number = b;
        prepare(blocks[b], call, arguments);
        for (rt::list<unsigned> *clock : {&blocks[b].behind, &blocks[b].at_wait[0], &blocks[b].at_wait[1]})
            clock->assign(n_blocks, 0);
    }
    for (const unsigned b : turns) start_block(blocks[b], b), note_wait(blocks[b]);
    for (;;) {
        go_on_by_neighbours(blocks, turns);
        bool is_over = true;
        for (const block_run &r : blocks) is_over = is_over && r.arrived_at_grid == 0;
        if (is_over) break;
        look_over_grid(blocks);
        now.phase_floor = floor_of(++now.stamp);
        if (order.kind == ordering::shuffle) order.fill(turns, n_blocks);
        for (const unsigned b : turns) {
            blocks[b].waits_for_neighbours = false;
            if (blocks[b].arrived_at_grid > 0) continue_block(blocks[b], b), note_wait(blocks[b]);
        }
    }
    run = &first_run;
    now.thread_idx = now.block = {};
}

// ---- warp operations

inline unsigned long warp_exchange(const unsigned mask, const unsigned long word, const unsigned source,
                                   const rt_where at)
{
    thread &me = run->threads[now.thread];
    const unsigned warp = now.thread / 32;
    me.sent = word;
    me.source = source;
    me.mask = mask;
    me.at = at;
    if (!(mask >> (now.thread % 32) & 1))
        add_waiting("missing-lanes", now.thread,
                    rt::format("a lane calls a warp operation with mask 0x%08x, which leaves it out", mask));
    me.state = thread_state::in_warp_op;
    bool all = true;
    for (unsigned l = 0; l < 32 && all; l++) {
        if (!((mask & lanes_of(warp)) >> l & 1)) continue;
        const thread &other = run->threads[warp * 32 + l];
        all = other.state == thread_state::in_warp_op && other.mask == mask;
    }
    if (all) finish_warp_op(warp, mask);
    wait_in(me.state);
    return me.got;
}

template <class T> T shuffle(const unsigned mask, const T value, const unsigned source, const rt_where at)
{
    static_assert(sizeof(T) <= sizeof(long), "a shuffle moves a word of up to 8 bytes");
    unsigned long word = 0;
    memcpy(&word, &value, sizeof value);
    word = warp_exchange(mask, word, source, at);
    T out;
    memcpy(&out, &word, sizeof out);
    return out;
}

} // namespace rt_sim

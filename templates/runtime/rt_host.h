// Regions: what an entry point is made of beside its arrays (rt_array.h), launches, times. The same on both devices;
// these supply (rt_cuda.h, rt_sim.h) memory, begin_meanwhile, launch_on_device, launch_resident_on_device, resident_blocks_on_device,
// grid_barrier, recorded_steps, record_steps, require_device, synchronise, mark, seconds_between.
#pragma once

#include <initializer_list>

#include "rt_overlap.h"
#include "rt_positions.h"
#include "rt_reach.h"
#include "rt_work.h"

namespace rt {

// Copies of check mode, with their originals: other things that a region names, values that it prints, is where the program has it.
struct copied {
    const void *copy, *original;
};
inline list<copied> copies_of_program;
inline const void *of_program(const void *const at)
{
    for (const copied &c : copies_of_program)
        if (c.copy == at) return c.original;
    return at;
}

// What was found out of arrays, or made for them: lasts as long as the region runs.
struct lasting {
    lasting() = default;
    lasting(const lasting &) = delete;
    virtual ~lasting() = default;
};

// What threads of a resident kernel may keep on chip: of each of so many elements so many bytes, and where an element has a row of
// a sparse matrix, of `longest` entries at most, the bytes of each.
struct on_chip {
    long bytes, elements;
    long of_entry = 0, longest = 0;
};

// Sixteenths of the shared memory for elements, and for rows besides: the rest caches what is not kept.
inline constexpr int for_elements = 10, for_all = 13;

class region {
    const turn taken;

public:
    const place at;

    region(const char *name, const char *file, const int line)
        : at{name, file, line}, times(profile_of(at))
    {
        running = {file, line};
    }
    region(const region &) = delete;
    ~region()
    {
        running = {};
        for (lasting *const k : found) delete k;
    }

    // What was found or made of that type, and is what is looked for.
    template <class K, class F> K *find(const F &is_it) const
    {
        for (lasting *const k : found)
            if (K *const here = dynamic_cast<K *>(k); here && is_it(*here)) return here;
        return nullptr;
    }
    template <class K> K *keep(K *const made)
    {
        found.push_back(made);
        return made;
    }

    // Whether the conversion holds for this call; else the caller runs the original loops.
    bool holds(const bool condition, const char *reason)
    {
        if (condition) return true;
        leave(at, reason);
        if (!work::has_begun) patience::refuse(at.region);
        if (is_chosen) left_by->withdraw();
        host_may_use(everywhere, true);
        return false;
    }

    // Test that the device is asked for this call; else the caller runs the original loops.
    bool pays(const work &call, patience &for_copies)
    {
        const bool is_sent = is_judged(for_copies, call.times(), [&](const call_times &here) {
            return work::pays_for_start(here, for_copies, at.region) && for_copies.is_over(here);
        });
        if (is_sent) return true;
        if (times) times->left_s += (of_model.host + of_model.wait) / 1e9;
        const double begin = of_model.wait > 0 && !simulated ? seconds_now() : 0;
        call.leave();
        begin_original(for_copies.of_calls, at.region, of_model.host, of_model.wait, begin);
        return false;
    }

    // Test that a call has iterations enough for a device, where nobody can say how long one of them takes: until calls of as many
    // were measured, on both.
    bool has_many(const std::initializer_list<std::initializer_list<long>> all, patience &of_region)
    {
        static double n_so_far = 0;
        double n = 0;
        for (const std::initializer_list<long> &counts : all) n += product(counts);
        n_so_far += n;
        const bool is_begun = work::has_begun || n_so_far >= costs::starting_iterations;
        const bool is_sent = is_judged(of_region, {n * costs::iteration_ns, 0, 0, 0}, [&](const call_times &here) {
            return is_begun && n >= costs::many_iterations && here.saved() > 0;
        });
        if (is_sent) return true;
        host_may_use(everywhere, true);
        begin_original(of_region.of_calls, at.region, of_model.host);
        return false;
    }

    // Whether calls that print are made: where both versions run, the original makes them.
    bool prints() const { return !is_compared; }

    // Whether nothing that one array writes belongs to another: see rt_overlap.h.
    bool disjoint(const list<host_range> &blocks, const std::initializer_list<rows_touched> rows = {},
                  const std::initializer_list<same> pairs = {})
    {
        const text why = overlap(blocks, rows, pairs);
        return why.empty() || holds(false, why.c_str());
    }

    // Runs a kernel over a grid; an empty grid is no launch. `line` is the kernel's in the C file.
    template <class K, class... A>
    void launch(const char *kernel, const int line, const K &function, const rt_size3 grid, const rt_size3 block,
                A &&...arguments)
    {
        launch_with_shared(0, kernel, line, function, grid, block, arguments...);
    }

    // The same, of a kernel whose RT_SHARED_FIRST and what lies behind it take so many bytes.
    template <class... P, class... A>
    void launch_with_shared(const long shared, const char *kernel, const int line, void (*function)(P...),
                            const rt_size3 grid, const rt_size3 block, A &&...arguments)
    {
        static_assert(sizeof...(P) == sizeof...(A), "one argument for each parameter of the kernel");
        if (grid.empty() || block.empty()) return;
        const place here{at.region, at.file, line};
        require_shape(here, kernel, grid, block);
        timed_kernel(kernel, [&] { launch_on_device(here, kernel, function, grid, block, shared, arguments...); });
    }

    template <class F, class G, class... A>
    void launch_with_shared(const long shared, const char *kernel, const int line, const instances<F, G> &of,
                            const rt_size3 grid, const rt_size3 block, A &&...arguments)
    {
        if (of.is_short) return launch_with_shared(shared, kernel, line, of.in_32_bits, grid, block, arguments...);
        launch_with_shared(shared, kernel, line, of.in_64_bits, grid, block, arguments...);
    }

    // How many blocks of a kernel the device holds at once: so many at most can wait for each other.
    template <class... P> long resident_blocks(void (*function)(P...), const rt_size3 block)
    {
        return block.empty() ? 0 : resident_blocks_on_device(at, function, block);
    }

    // Whether one block goes through phases of that many threads' work sooner than many could wait for each other.
    bool one_block(const long work, const long most) const { return work <= most_work_of_one_block(most); }

    // The blocks for work of that many threads: as many as have something to do, and fit on the device together.
    template <class... P> long blocks_for(void (*function)(P...), const rt_size3 block, const long work)
    {
        return rt_max(1, rt_min(rt_ceildiv(work, block.count()), resident_blocks(function, block)));
    }

    // Runs a kernel by blocks that are all resident and may wait for each other. Its last parameter is the barrier,
    // which is supplied here.
    template <class... P, class... A>
    void launch_resident(const char *kernel, const int line, void (*function)(P...), const long blocks,
                         const rt_size3 block, A &&...arguments)
    {
        static_assert(sizeof...(P) == sizeof...(A) + 1,
                      "one argument for each parameter of the kernel but the barrier");
        launch_blocks(0, kernel, line, function, blocks, block, arguments...);
    }

    // The same, of a kernel whose threads keep some of what there is on chip, by the blocks for `work`. Its first parameter is
    // how many elements each thread keeps: as many as it has, or there is room for. Where that is less than half of them,
    // `other` runs, which keeps none, and has no such parameter. Where elements have rows, two parameters follow: of how many
    // elements the row is kept, too, and how many entries it has at most.
    template <class... P, class... Q, class... A>
    void launch_keeping(const on_chip what, const char *kernel, const int line, void (*function)(P...),
                        void (*other)(Q...), const long work, const rt_size3 block, A &&...arguments)
    {
        constexpr bool has_rows = sizeof...(P) == sizeof...(A) + 4;
        static_assert((has_rows || sizeof...(P) == sizeof...(A) + 2) && sizeof...(Q) == sizeof...(A) + 1,
                      "one argument for each parameter of the kernel but those of what it keeps and the barrier");
        if (block.empty()) return;
        const long all = blocks_for(function, block, work), of_block = what.bytes * block.count();
        const long wanted = rt_ceildiv(what.elements, all * block.count());
        const long room = room_on_device(at, function, all, for_elements);
        const long slots = rt_max(0, rt_min(wanted, room / of_block));
        // (CG on an H200, n = 0.5, 0.9 and 16.8 million, of which all, 57 and 3 % fit: 26.9 us an iteration become 16.4, 46.1
        // become 36.8, and 776 would become 814; with a preconditioner and 29 %: 51.2 would become 54.)
        if (2 * slots < wanted) {
            launch_blocks(0, kernel, line, other, blocks_for(other, block, work), block, arguments...);
        } else if constexpr (has_rows) {
            const long of_row = what.of_entry * what.longest * block.count();
            const long left = room_on_device(at, function, all, for_all) - slots * of_block;
            const long rows = slots < wanted || of_row == 0 ? 0 : rt_max(0, rt_min(slots, left / of_row));
            launch_blocks(slots * of_block + rows * of_row, kernel, line, function, all, block, slots, rows,
                          what.longest, arguments...);
        } else {
            launch_blocks(slots * of_block, kernel, line, function, all, block, slots, arguments...);
        }
    }

    // Runs `step`, which launches the same kernels with the same arguments each time, n_steps times. Its kernels may
    // be recorded once and launched together; the profile then has one row for all of them, which counts the steps.
    template <class F> void replay(const int line, const long n_steps, const F &step)
    {
        const place here{at.region, at.file, line};
        recorded_kernels.clear();
        is_recording = true;
        const recorded_steps recorded = record_steps(here, n_repeats > 1 ? 0 : n_steps, step);
        is_recording = false;
        long left = n_steps;
        if (recorded.steps > 0) {
            const char *const kernel = times ? graph_of_kernels() : nullptr;
            const auto begin = begun_kernel(kernel);
            const long n_left = left % recorded.steps;
            for (; left > n_left; left -= recorded.steps) recorded.launch(here);
            ended_kernel(begin, kernel, n_steps - left);
        }
        for (; left > 0; left--) step();
    }

    // Runs a call of a library, which the profile shows as a kernel.
    template <class F> void call(const char *name, const F &function) { timed_kernel(name, function); }

    // Waits for the device and closes the region's times.
    void done()
    {
        close_run();
        if (times || !in_turn::is_any()) synchronise(at);
        if (is_chosen) end_measured();
        note_stays();
        if (!times) return;
        close_spans();
        times->add_call(seconds_now() - start);
    }

private:
    template <class T> friend class array;

    // `shared`: bytes that a block asks for beside its own.
    template <class... P, class... A>
    void launch_blocks(const long shared, const char *kernel, const int line, void (*function)(P...),
                         const long blocks, const rt_size3 block, A &&...arguments)
    {
        const rt_size3 grid = rt_dims(blocks);
        if (grid.empty() || block.empty()) return;
        const place here{at.region, at.file, line};
        require_shape(here, kernel, grid, block);
        const grid_barrier barrier{here};
        timed_kernel(kernel, [&] {
            launch_resident_on_device(here, kernel, function, blocks, block, shared, arguments..., barrier);
        });
    }
    list<lasting *> found;
    using time_point = decltype(mark());
    struct span {
        time_point begin, end;
        const char *kernel;
        profile_row *row;
        long calls;
    };
    profile *const times;
    patience *left_by = nullptr; // pays for copies home, if it is known
    bool is_chosen = false;
    call_times of_model{};
    double chosen_at = 0; // when, if it is measured
    double spared_s = 0;  // of that, what copies took that calls to come do without
    bool has_new_array = false;
    double start = 0; // 0: nothing has been asked of the device yet

    // Test that a call goes, by choice of the model or of $RTCUDA_CHOICE. A comparison has them all.
    template <class F> bool goes(const F &pays)
    {
        const bool is_any = chosen.of_all == choice::shuffle ? chosen.by_chance() : chosen.of_all == choice::device;
        if (!is_lost && (is_compared || is_any || (chosen.of_all == choice::model && pays()))) return true;
        if (times) times->n_left++;
        return false;
    }

    // Test that a call goes, by what was measured of calls like it; then it is measured, too.
    template <class F> bool is_judged(patience &of_region, const call_times &model, const F &pays)
    {
        left_by = &of_region, of_model = model, spared_s = 0, has_new_array = false;
        end_original();
        const measured &known = of_region.of_calls;
        is_chosen = goes([&] { return !known.asks_for_original(model) && pays(known.of(model)); });
        if (is_chosen && !simulated && model.host >= measured::least_ns) chosen_at = seconds_now();
        return is_chosen;
    }
    void end_measured()
    {
        left_by->succeed();
        if (chosen_at == 0) return;
        const double took_ns = (seconds_now() - chosen_at - spared_s) * 1e9 - (spared_s > 0 ? 0 : of_model.to_device);
        left_by->of_calls.on_device(of_model.host, rt_max(took_ns, of_model.device), has_new_array);
    }

    // A copy; `is_spared`: calls to come may do without. What it takes then is no part of what a call takes on the device.
    template <class F> void copied(const bool is_spared, const F &copy)
    {
        if (!is_spared || chosen_at == 0) return copy();
        synchronise(at);
        const double begin = seconds_now();
        copy();
        spared_s += seconds_now() - begin;
    }

    // The device is set up once a program, before the first array; that is no part of a region's time, nor of what its first call
    // is measured to take: a call that seemed to take as long as the start would be its region's last.
    region &begun()
    {
        if (start > 0) return *this;
        const double asked = seconds_now();
        require_device(at);
        work::has_begun = true;
        start = seconds_now();
        if (chosen_at > 0) chosen_at += start - asked;
        return *this;
    }
    list<span> spans;
    time_point run_began{}; // of launches in a row that are timed as one
    bool is_in_run = false;
    bool is_recording = false; // kernels are noted in a graph: they run later
    list<text> recorded_kernels;

    static void require_shape(const place &here, const char *kernel, const rt_size3 grid, const rt_size3 block)
    {
        if (block.count() <= 1024 && block.z <= 64 && grid.x <= 0x7fffffffL && grid.y <= 65535 && grid.z <= 65535)
            return;
        fail(here,
             format("kernel %s: a grid of %ld x %ld x %ld blocks of %ld x %ld x %ld threads is beyond the "
                    "hardware's limits",
                    kernel, grid.z, grid.y, grid.x, block.z, block.y, block.x),
             "choose a smaller block in the configuration (at most 1024 threads), or a smaller problem");
    }

    void add_span(const span &s)
    {
        spans.push_back(s);
        if (spans.size() < 4096) return; // events are not free
        synchronise(at);
        close_spans();
    }
    void close_spans()
    {
        for (const span &s : spans)
            (s.kernel ? times->kernel(s.kernel) : *s.row).add(seconds_between(s.begin, s.end), s.calls);
        spans.clear();
    }
    time_point time_mark() { return times ? mark() : time_point(); }
    template <class F> void timed(profile_row profile::*row, const F &copy)
    {
        close_run();
        const auto begin = time_mark();
        copy();
        if (times) add_span({begin, mark(), nullptr, &(times->*row), 1});
    }
    template <class F> void timed_kernel(const char *kernel, const F &launch)
    {
        const auto begin = is_recording ? time_point() : begun_kernel(kernel);
        launch_repeated(at, launch);
        if (!is_recording) return ended_kernel(begin, kernel, 1);
        if (!times) return;
        for (const text &known : recorded_kernels)
            if (known == kernel) return;
        recorded_kernels.push_back(kernel);
    }
    const char *graph_of_kernels()
    {
        return times->kernel((joined(recorded_kernels, ", ") + " (as a graph)").c_str()).name.c_str();
    }
    // The begin of a launch that is timed. Where launches in a row are one, the first begins for all of them.
    time_point begun_kernel(const char *kernel)
    {
        if (!times || !ahead_of_launches) return time_mark();
        times->kernel(kernel);
        if (!is_in_run) {
            ahead_of_launches();
            run_began = mark();
            is_in_run = true;
        }
        return run_began;
    }
    void ended_kernel(const time_point begin, const char *kernel, const long calls)
    {
        if (times && !ahead_of_launches) add_span({begin, mark(), kernel, nullptr, calls});
    }
    void close_run()
    {
        if (!is_in_run) return;
        is_in_run = false;
        add_span({run_began, mark(), nullptr, &times->together, 1});
    }
};

} // namespace rt

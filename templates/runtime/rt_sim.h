// The simulated GPU: CUDA's names in kernels, device memory, launches, on the CPU, with every access checked.
#pragma once

#include "rt_beside.h"
#include "rt_pages.h"
#include "rt_rows.h"
#include "rt_sim_access.h"

#define RT_KERNEL static
#define RT_DEVICE static inline
#define RT_THREADS(...)
// A parameter of device functions that wait: where the kernel calls them.
#define RT_WHERE , const rt_where rt_at = rt_where::here()
#define RT_AT , rt_at
#define RT_AT_ONLY rt_at
// Says to the compiler of a GPU what it should do with a loop.
#define RT_UNROLL
#define RT_UNROLL_BY(n)

using dim3 = rt_sim::index3;
inline rt_sim::index3 &threadIdx = rt_sim::now.thread_idx;
inline rt_sim::index3 &blockIdx = rt_sim::now.block;
inline rt_sim::index3 &blockDim = rt_sim::now.block_dim;
inline rt_sim::index3 &gridDim = rt_sim::now.grid_dim;

inline void __syncthreads(const rt_where at = rt_where::here())
{
    rt_sim::run->threads[rt_sim::now.thread].at = at;
    rt_sim::wait_in(rt_sim::thread_state::at_barrier);
}

// The barrier of a grid whose blocks are resident. Both realisations are one to the simulation.
struct rt_cooperative_barrier {
    void cross(const rt_where at = rt_where::here())
    {
        rt_sim::run->threads[rt_sim::now.thread].at = at;
        rt_sim::wait_in(rt_sim::thread_state::at_grid_barrier);
    }
};
struct rt_lock_free_barrier : rt_cooperative_barrier {};
struct rt_relaxed_barrier : rt_cooperative_barrier {
    template <class... Extents> void wait(const rt_where at, const Extents... extents)
    {
        const auto standing = rt_standing((int)gridDim.x, extents...);
        const int block = (int)blockIdx.x;
        rt_sim::run->neighbours.clear();
        for (int k = 0; k < standing.beside && standing.holds(block); k++)
            rt_sim::run->neighbours.push_back((unsigned)standing.neighbour(block, k));
        rt_sim::run->waits_for_neighbours = true;
        cross(at);
    }
};
// Of the orders that blocks may run in, the one in which all of them keep step.
struct rt_asynchronous_barrier : rt_cooperative_barrier {
    void wait(const rt_where at) { cross(at); }
};
#define RT_GRID_BARRIER(barrier) (barrier).cross()
#define RT_GRID_WAIT(barrier, ...) (barrier).wait(rt_where::here() __VA_OPT__(, ) __VA_ARGS__)
#define RT_GOES_ON(barrier) (barrier).goes_on()

inline void __syncwarp(const unsigned mask = ~0u, const rt_where at = rt_where::here())
{
    rt_sim::warp_exchange(mask, 0, rt_sim::no_source, at);
}

template <class T>
T __shfl_down_sync(const unsigned mask, const T value, const unsigned delta, const rt_where at = rt_where::here())
{
    const unsigned lane = rt_sim::now.thread % 32;
    return rt_sim::shuffle(mask, value, lane + delta < 32 ? lane + delta : lane, at);
}
template <class T>
T __shfl_up_sync(const unsigned mask, const T value, const unsigned delta, const rt_where at = rt_where::here())
{
    const unsigned lane = rt_sim::now.thread % 32;
    return rt_sim::shuffle(mask, value, lane >= delta ? lane - delta : lane, at);
}
template <class T>
T __shfl_xor_sync(const unsigned mask, const T value, const unsigned lanes, const rt_where at = rt_where::here())
{
    return rt_sim::shuffle(mask, value, (rt_sim::now.thread % 32) ^ lanes, at);
}
template <class T>
T __shfl_sync(const unsigned mask, const T value, const unsigned source, const rt_where at = rt_where::here())
{
    return rt_sim::shuffle(mask, value, source % 32, at);
}

inline unsigned __ballot_sync(const unsigned mask, const bool vote, const rt_where at = rt_where::here())
{
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) votes |= (unsigned)rt_sim::shuffle(mask, vote, lane, at) << lane;
    return votes;
}
inline int __ffs(const unsigned bits)
{
    return __builtin_ffs((int)bits);
}

template <class A, class B> rt_common<A, B> min(const A a, const B b)
{
    return rt_min(a, b);
}
template <class A, class B> rt_common<A, B> max(const A a, const B b)
{
    return rt_max(a, b);
}

template <class Op, class T, class V> void rt_atomic(const rt_ref<T> target, const V value)
{
    target.exchange([&](T &element) { element = Op::template join<T>(element, (T)value); });
}

// What blocks leave for the last of them: see rt_atomic.h. To the simulation these accesses are atomic.
template <class T> void rt_leave(const rt_ref<rt_word<T>> slot, const T number)
{
    slot.exchange([&](rt_word<T> &message) { message = rt_message(number); });
}
template <class T> T rt_take(const rt_ref<rt_word<T>> slot)
{
    rt_word<T> taken = 0;
    slot.exchange([&](rt_word<T> &message) { taken = message, message = rt_nothing<T>(); });
    if (taken == rt_nothing<T>()) slot.is_missing();
    return rt_number<T>(taken);
}
inline void rt_post(const rt_ref<unsigned long long> slot, const unsigned part)
{
    slot.exchange([&](unsigned long long &word) { word = 1ull << 32 | part; });
}
inline unsigned long long rt_look(const rt_ref<unsigned long long> slot)
{
    return slot.exchange([](unsigned long long &) {});
}
inline unsigned rt_await(const rt_ref<unsigned long long> slot, const unsigned long long seen)
{
    if (seen >> 32 == 0) slot.is_missing();
    return (unsigned)seen;
}
inline unsigned rt_count(const rt_ref<unsigned> begun)
{
    return begun.exchange([](unsigned &count) { count++; }) - 1;
}
inline bool rt_is_last(const rt_ref<unsigned> arrived, const long parts)
{
    return arrived.exchange([&](unsigned &count) { count = count + 1 == parts ? 0 : count + 1; }) == 0;
}

namespace rt {

// ---- what rt_host.h asks of a device

constexpr bool simulated = true;
inline const char *device_name()
{
    return "simulated on the CPU";
}
// Few, so that small runs choose among the sizes of a launch as large ones do on a device.
constexpr long processors()
{
    return 4;
}
inline void begin_meanwhile()
{
}
inline void require_device(const place &)
{
    static const bool reports = (at_exit(rt_sim::report_findings), true);
    (void)reports;
}
inline void synchronise(const place &)
{
}
inline double mark()
{
    return seconds_now();
}
inline double seconds_between(const double from, const double to)
{
    return to - from;
}

inline long memory_in_use = 0;

// Device memory of an array. Filled with a pattern: a copy that is missing shows.
class memory {
public:
    rt_sim::shared_array array;

    bool is_aligned(const int to) const { return (unsigned long)data % to == 0; }

    memory(const place &at, const char *name, const long elements, const size_t element_bytes)
        : array{name, elements, nullptr, elements, false, 0, {}}, element_bytes(element_bytes)
    {
        const long bytes = elements * (long)element_bytes;
        const char *limit = env("RT_SIM_MEMORY");
        if (limit && bytes > atol(limit) - memory_in_use && !(make_room() && bytes <= atol(limit) - memory_in_use)) {
            fail_too_large(
                at,
                format("array %s: out of (simulated) device memory: %s asked, %s free", name,
                       bytes_text((double)bytes).c_str(), bytes_text((double)(atol(limit) - memory_in_use)).c_str()),
                "raise or unset RT_SIM_MEMORY, or make the problem smaller");
        }
        data = (char *)malloc(bytes + 1);
        array.cells = (rt_sim::cell *)calloc(elements + 1, sizeof(rt_sim::cell));
        if (!data || !array.cells) {
            free(data);
            free(array.cells);
            fail_too_large(at,
                           format("array %s: no memory for %s and its shadow", name, bytes_text((double)bytes).c_str()),
                           "make the problem smaller");
        }
        memset(data, 0xFB, bytes);
        memory_in_use += bytes;
    }
    // Memory of the caller's.
    memory(const char *name, const void *given, const long elements, const size_t element_bytes)
        : array{name, elements, nullptr, 0, false, 0, {}}, data((char *)given), element_bytes(element_bytes), is_callers(true)
    {
        array.cells = (rt_sim::cell *)calloc(elements + 1, sizeof(rt_sim::cell));
        if (!array.cells) fail(place{"", "", 0}, format("array %s: no memory for its shadow", name), "make the problem smaller");
    }
    memory(const memory &) = delete;
    ~memory()
    {
        if (!is_borrowed) release();
    }

    static bool has_room(const size_t bytes)
    {
        const char *limit = env("RT_SIM_MEMORY");
        return !limit || (long)bytes <= (atol(limit) - memory_in_use) / 2;
    }
    void rename(const char *const other) { array.name = other; }
    const char *array_name() const { return array.name; }
    // Takes over elements [first, last) of another.
    void take(const place &, const memory &other, const long from, const long first, const long last)
    {
        memcpy(data + first * element_bytes, other.data + from * element_bytes, (last - first) * element_bytes);
        for (long i = first; i < last; i++) {
            if (is_marked(i) || (other.array.uninitialised > 0 && !other.is_marked(from + i - first))) continue;
            if (array.uninitialised > 0) array.uninitialised--;
            array.cells[i].write = rt_sim::by_host;
        }
    }
    void fill(const place &, const size_t offset, const size_t n, const int value)
    {
        memset(data + offset, value, n);
        for (size_t i = (offset + element_bytes - 1) / element_bytes; (i + 1) * element_bytes <= offset + n; i++) {
            if (is_marked((long)i)) continue;
            if (array.uninitialised > 0) array.uninitialised--;
            array.cells[i].write = rt_sim::by_host;
        }
    }
    // Stands for another's memory from here on, and gives back its own.
    void borrow(memory &other)
    {
        if (!is_borrowed) release();
        is_borrowed = true;
        data = other.data;
        array = other.array;
    }
    static void begin_to_tell() {}
    bool tell(const size_t from, const size_t n, void *const to) const
    {
        memcpy(to, data + from, n);
        return true;
    }
    // Of the host's memory it is not known; accesses are checked one by one.
    bool goes_as_far(const size_t) const { return true; }
    void from_host(const place &, const long first, const long last, const void *host)
    {
        memcpy(data + first * element_bytes, (const char *)host + first * element_bytes,
               (last - first) * element_bytes);
        if (first == 0 && last == array.extent) {
            array.uninitialised = 0;
            return;
        }
        for (long i = first; i < last; i++) {
            if (array.cells[i].write != 0) continue;
            if (array.uninitialised > 0) array.uninitialised--;
            array.cells[i].write = rt_sim::by_host;
        }
    }
    void to_host(const place &at, const long first, const long last, void *host)
    {
        put_on_host((char *)host + first * element_bytes, data + first * element_bytes, (last - first) * element_bytes);
        for (long i = first; i < last && array.uninitialised > 0; i++) {
            if (array.cells[i].write != 0 || array.cells[i].atomic != 0) continue;
            rt_sim::now.kernel = at.region;
            rt_sim::add_uninitialised(array, i, "copies out", {at.line, at.file});
        }
    }
    // What lies between two pieces holds nothing afterwards, as on a GPU.
    void from_rows(const place &at, const list<piece> &pieces)
    {
        require_order(at, pieces);
        for (size_t k = 0; k + 1 < pieces.size(); k++)
            spoil(first_of(pieces[k]) + count_of(pieces[k]), first_of(pieces[k + 1]));
        for (const piece &p : pieces) from_host(at, first_of(p), first_of(p) + count_of(p), p.host - p.device);
    }
    void to_rows(const place &at, const list<piece> &pieces)
    {
        require_order(at, pieces);
        for (const piece &p : pieces) to_host(at, first_of(p), first_of(p) + count_of(p), p.host - p.device);
    }
    // A kernel's view of it; a library has but its place.
    template <class P> P as_parameter()
    {
        if constexpr (requires { typename P::element; })
            return P((typename P::element *)data, &array);
        else
            return (P)data;
    }
    template <class P> void note_written()
    {
        if (P::writes) array.written_in = rt_sim::now.launch;
    }

private:
    char *data;
    size_t element_bytes;
    bool is_borrowed = false, is_callers = false;

    void release()
    {
        free(array.cells);
        if (is_callers) return;
        memory_in_use -= array.extent * (long)element_bytes;
        free(data);
    }
    // A GPU's copies go from the first piece to the last.
    static void require_order(const place &at, const list<piece> &pieces)
    {
        for (size_t k = 0; k + 1 < pieces.size(); k++)
            if (pieces[k].device + pieces[k].bytes > pieces[k + 1].device)
                fail(at, "pieces are copied out of their order", "this is a fault of rtcuda: please report it with the C file");
    }
    bool is_marked(const long i) const { return array.cells[i].write != 0 || array.cells[i].atomic != 0; }
    void spoil(const long first, const long last)
    {
        if (first >= last) return;
        for (long i = 0; i < array.extent && array.uninitialised == 0; i++) // what came from the host unmarked
            if (!is_marked(i)) array.cells[i].write = rt_sim::by_host;
        for (long i = first; i < last; i++) {
            array.uninitialised += is_marked(i);
            array.cells[i] = {};
        }
        memset(data + first * element_bytes, 0xFB, (last - first) * element_bytes);
    }
    long first_of(const piece &p) const { return (long)(p.device / element_bytes); }
    long count_of(const piece &p) const { return (long)(p.bytes / element_bytes); }
};

template <class T> class array;

template <class P, class T> void note_written(array<T> &a)
{
    a.device.template note_written<P>();
}
template <class P, class V> void note_written(const V &)
{
}
template <class P, class T> P to_parameter(array<T> &a)
{
    P parameter = a.device.template as_parameter<P>();
    if constexpr (requires { P::is_held; }) parameter.extent = a.size();
    return parameter;
}
template <class P, class V> P to_parameter(const V &value)
{
    return (P)value;
}

// What launch_resident gives a kernel as its barrier.
struct grid_barrier {
    const place &at;
};
template <class P> P to_parameter(const grid_barrier &barrier)
{
    if constexpr (requires { P::of_launch(barrier.at); })
        return P::of_launch(barrier.at);
    else
        return {};
}

using runner = void (*)(rt_size3 grid, rt_size3 block, void (*call)(void *), void *arguments);
template <class... P>
void run_on_device(const runner run, void (*function)(P...), const rt_size3 grid, const rt_size3 block,
                   const P... arguments)
{
    auto call = [&] { function(arguments...); };
    run(grid, block, [](void *c) { (*(decltype(call) *)c)(); }, &call);
}

template <class... P, class... A>
void launch_by(const runner run, const char *kernel, void (*function)(P...), const rt_size3 grid, const rt_size3 block,
               A &...arguments)
{
    rt_sim::now.kernel = kernel;
    rt_sim::now.launch++; // before the parameters, which depend on what this launch writes
    (note_written<P>(arguments), ...);
#ifdef RT_SIM_LAUNCHES
    const rt_sim::launch_record record(kernel, function, grid, block, arguments...);
#endif
    run_on_device<P...>(run, function, grid, block, to_parameter<P>(arguments)...);
}

template <class... P, class... A>
void launch_on_device(const place &, const char *kernel, void (*function)(P...), const rt_size3 grid,
                      const rt_size3 block, const long shared, A &...arguments)
{
    rt_sim::now.launch_shared = shared;
    launch_by(rt_sim::run_grid, kernel, function, grid, block, arguments...);
}

// The threads of a resident block, a multiple of `unit`: few, for those that have nothing to do take time as well.
constexpr int threads(const int wanted, const int unit)
{
#ifdef RT_SIM_LAUNCHES
    return wanted; // the kernel that a GPU runs
#endif
    const int few = unit < 128 ? 128 / unit * unit : unit;
    return few < wanted ? few : wanted;
}

// Little enough that small examples run with several blocks, too.
inline long most_work_of_one_block(const long most)
{
    const char *const set = env("RT_SIM_ONE_BLOCK");
    const long here = set ? atol(set) : 64;
    return here < most ? here : most;
}

// An odd few, so that no kernel counts on a power of two; where blocks wait for their neighbours, so many that there are
// others.
template <class... P> long resident_blocks_on_device(const place &, void (*)(P...), const rt_size3)
{
    const char *const set = env("RT_SIM_RESIDENT");
    const long few = (std::is_base_of_v<rt_relaxed_barrier, P> || ...) ? 13 : 3;
    return rt_max(set ? atol(set) : few, 1L);
}

// Bytes that each of so many blocks of a resident kernel may keep on chip: little, so that small examples keep a part.
template <class... P> long room_on_device(const place &, void (*)(P...), const long, const int)
{
    const char *const set = env("RT_SIM_ROOM");
    return set ? atol(set) : 8192;
}

template <class... P, class... A>
void launch_resident_on_device(const place &at, const char *kernel, void (*function)(P...), const long blocks,
                               const rt_size3 block, const long shared, A &...arguments)
{
    rt_sim::now.launch_shared = shared;
    const long most = resident_blocks_on_device(at, function, block);
    if (blocks > most) {
        fail(at,
             format("kernel %s: %ld blocks that wait for each other, and the (simulated) device holds %ld at once",
                    kernel, blocks, most),
             "set sync = \"relaunch\" in the configuration, or raise RT_SIM_RESIDENT");
    }
    launch_by(rt_sim::run_resident, kernel, function, rt_dims(blocks), block, arguments...);
}

// Steps are not recorded: each is run.
struct recorded_steps {
    long steps = 0;
    void launch(const place &) const {}
};
template <class F> recorded_steps record_steps(const place &, const long, const F &)
{
    return {};
}

} // namespace rt

// The stay of an array in memory of the device; and the host's word that it is about to touch something.
#pragma once

#include "rt_stay.h"

namespace rt {

// Libraries by which hardware touches the program's memory, which no closed page holds up, in whatever file they are called.
inline bool hardware_touches()
{
    if (!dlsym) return false;
    for (const char *const name : {"MPI_Init", "ibv_open_device", "io_uring_queue_init", "shmem_init"})
        if (dlsym(RTLD_DEFAULT, name)) return true;
    return false;
}

// Leave to guard arrays of which the program's text does not say where the host touches them.
inline const bool may_guard = !env("RTCUDA_GUARD") || strcmp(env("RTCUDA_GUARD"), "0") != 0;
inline const bool guards = may_guard && hears_of_calls && !hardware_touches();

// Hears of touches from here on (rt_faults.h).
inline void watch_touches();

// Where the stack of this thread ends.
inline const char *stack_top()
{
    static thread_local const char *const top = [] {
        pthread_attr_t attributes;
        void *base = nullptr;
        size_t bytes = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &base, &bytes);
            pthread_attr_destroy(&attributes);
        }
        return (const char *)base + bytes;
    }();
    return top;
}

// Test that what lies at that address may stay behind: not in a frame of the stack, which ends with its function unnoticed.
inline bool may_stay(const void *const host)
{
    const char *const frame = (const char *)__builtin_frame_address(0);
    return host && !((const char *)host >= frame && (const char *)host < stack_top());
}

// Copies home what a region left of an array, so many bytes; it pays, and the profile counts it among the region's copies.
template <class F>
void bring_home(const place &region, patience *const left_by, const char *const array, const size_t bytes, const F &copy)
{
    profile *const times = profile_of(region);
    const double begin = seconds_now();
    copy();
    const double took_s = seconds_now() - begin;
    if (left_by) left_by->pay(simulated ? time_of_copy((double)bytes) : took_s * 1e9);
    if (!times) return;
    times->copy_out.add(took_s);
    times->add_move(array, bytes, true, running);
}

// In memory of the device.
class stay_on_device : public stay_of_block {
public:
    memory device;

    stay_on_device(const place &at, const char *name, void *const host, const long elements, const size_t element_bytes)
        : stay_of_block(host, elements * element_bytes, element_bytes), device(at, name, elements, element_bytes), at(at)
    {
    }
    ~stay_on_device() override
    {
        let_go();
        for (char *const edge : edges) free(edge);
        if (written_at.is_known()) last_written(host) = {host, written_at};
    }
    // Another region's from here on.
    void belong_to(const place &region, const char *const array)
    {
        at = region;
        device.rename(array);
    }
    // The parts of those bytes, elements of an array at that address, that other stays than one have as they should be, none twice.
    // Short ones are no copy's worth, unless they are all that is wanted, or the host has not got them.
    struct part {
        const stay_on_device *of;
        span bytes;
    };
    static list<part> parts(const span &all, const void *const host, const size_t element_bytes, const stay *const but)
    {
        constexpr size_t least = 1 << 16;
        list<part> out;
        spans left;
        left.add(all);
        stays.each(all, [&](stay &s) {
            stay_on_device *const here = &s == but ? nullptr : dynamic_cast<stay_on_device *>(&s);
            if (!here || !here->is_alike(host, element_bytes)) return;
            for (const span &has : here->valid.within(all))
                for (const span &bytes : left.within(has)) {
                    const bool is_all = bytes.first == all.first && bytes.last == all.last;
                    const bool is_worth = is_all || (size_t)(bytes.last - bytes.first) >= least || here->newer.meets(bytes);
                    if (is_worth && (bytes.first - here->host) % (long)element_bytes == 0) out.push_back({here, bytes});
                }
            for (const part &p : out) left.remove(p.bytes);
        });
        return out;
    }
    // What must come in for those bytes to be valid, and then is.
    list<piece> missing(const span &all)
    {
        if (is_guarded()) look_at_edges();
        list<piece> out;
        for (const span &part : valid.missing(all)) out.push_back(to_piece(part));
        valid.add(all);
        if (!is_guarded()) return out;
        for (const piece &p : out) host_uses({p.host, p.host + p.bytes}, false);
        keep_edges();
        guard(all);
        return out;
    }
    // A region wrote them, which pays when they come home.
    void leave(const span &all, patience *const of_region)
    {
        left_by = of_region;
        if (is_guarded()) look_at_edges();
        valid.add(all);
        newer.add(all);
        let_go();
        if (is_guarded()) close(all);
    }
    list<span> fill(const spans &wanted, const int value) override
    {
        list<span> filled;
        if (!is_guarded() || users > 0) return filled;
        for (const span &all : wanted)
            for (const span &has : valid.within(common(pages_within(all), own))) {
                const span part = pages_within(has);
                if (!part.is_some()) continue;
                device.fill(at, part.first - host, part.last - part.first, value);
                newer.add(part);
                guard(part);
                filled.push_back(part);
            }
        return filled;
    }
    // A region is about to write over those bytes, and may turn out not to have been able to: until then what the host has not
    // of them is kept.
    void keep(const span &of)
    {
        let_go();
        changing = of;
        const list<span> parts = newer.within(of);
        if (parts.empty()) return;
        if (!memory::has_room(bytes)) return host_uses(of, false);
        kept = new memory(at, device.array_name(), (long)(bytes / element_bytes), element_bytes);
        for (const span &part : parts) take(*kept, device, part);
    }
    void restore()
    {
        for (const span &part : newer.within(changing)) take(device, *kept, part);
        for (const span &part : newer.missing(changing)) valid.remove(part);
        if (is_guarded()) guard(changing);
        let_go();
    }

    // What is left at an address, or room for it; null where nothing may stay, or where it is in use as something shorter.
    static stay_on_device *of(const place &at, const char *name, void *const host, const long elements,
                              const size_t element_bytes)
    {
        static const bool may_run_again = env("RTCUDA_ON_ERROR"); // from what the host has
        if (may_run_again || elements <= 0 || !may_stay(host)) return nullptr;
        const size_t bytes = elements * element_bytes;
        stay_on_device *shorter = nullptr;
        stay_on_device *const found = (stay_on_device *)stays.find({(char *)host, (char *)host + 1}, [&](stay &s) {
            stay_on_device *const here = dynamic_cast<stay_on_device *>(&s);
            if (!here || here->host != host || here->element_bytes != element_bytes) return false;
            if (here->bytes < bytes) shorter = here;
            return here->bytes >= bytes;
        });
        if (found) {
            found->belong_to(at, name);
            return found;
        }
        if (shorter && shorter->users > 0) return nullptr;
        const bool succeeds = shorter && memory::has_room(bytes); // for both
        if (shorter && !succeeds) rt::host_uses({shorter->host, shorter->host + shorter->bytes}, true);
        const used until_copied(succeeds ? shorter : nullptr);
        stay_on_device *const made = new stay_on_device(at, name, host, elements, element_bytes);
        if (last_written(host).host == host) made->written_at = last_written(host).by;
        add_stay(made);
        if (succeeds) made->succeed(*shorter);
        return made;
    }

    // The same, guarded: from the second region on that has an array there, as most arrays have one alone. Null also where two
    // arrays of a region are one, or nobody knows what else lies around.
    static stay_on_device *guarded_of(const place &at, const char *name, void *const host, const long elements,
                                      const size_t element_bytes)
    {
        const size_t bytes = elements > 0 ? (size_t)elements * element_bytes : 0;
        span own{nullptr, nullptr};
        const char *const why = forbids_guard(host, bytes, element_bytes, own);
        is_new = why == new_here;
        if (why) {
            note_refusal(why, bytes);
            return nullptr;
        }
        stay_on_device *const found = of(at, name, host, elements, element_bytes);
        if (!found || found->users > 0) return nullptr;
        const used until_guarded(found);
        found->begin_guard(own);
        return found;
    }

    // Flag: the array that was asked for last may stay from its next call on.
    inline static bool is_new = false;

private:
    static constexpr char new_here[] = "no array came to a second call";

    // Test that elements of an array at that address are elements here; what the host has changed at the edges is known then.
    bool is_alike(const void *const host, const size_t bytes_of_one)
    {
        if (element_bytes != bytes_of_one || ((char *)host - this->host) % (long)element_bytes != 0) return false;
        if (is_guarded()) look_at_edges();
        return true;
    }
    struct used {
        explicit used(stay *const what) : what(what)
        {
            if (what) what->users++;
        }
        ~used()
        {
            if (what) what->users--;
        }
        stay *const what;
    };
    place at; // the region that left it last
    patience *left_by = nullptr;
    memory *kept = nullptr; // what was newer of the bytes that are changing
    span changing{nullptr, nullptr};
    char *edges[2] = {nullptr, nullptr}; // what the device has of the bytes before and behind the pages of the block
    size_t n_left = 0;                   // bytes that were newer behind the last region
    long n_at_once = 0, n_returns = 0, n_next = 1;

    static constexpr size_t least_guarded = block_table::least_bytes;

    // Code of the host that wrote to an array that was kept: the next copy is because of it. For most of them.
    struct writing {
        const void *host = nullptr;
        user_line by;
    };
    static writing &last_written(const void *const host)
    {
        static writing all[256];
        return all[((size_t)host >> 4) * 0x9e3779b97f4a7c15ul >> 56];
    }
    // Test that a region had an array at that address before; of so many that share a place in the table.
    static bool was_seen(const void *const host)
    {
        struct place_of_some {
            const void *at[8];
            unsigned next;
        };
        static place_of_some seen[4096];
        place_of_some &here = seen[((size_t)host >> 4) * 0x9e3779b97f4a7c15ul >> 52];
        for (const void *const one : here.at)
            if (one == host) return true;
        here.at[here.next++ % 8] = host;
        return false;
    }
    // Reason not to close pages for so many bytes of elements; null where nothing does: then these are the pages of its block.
    static const char *forbids_guard(const void *const host, const size_t bytes, const size_t element_bytes, span &own)
    {
        if (!hears_of_calls) return "a sanitizer, or a C library other than glibc, hides what the system touches";
        if (!guards) return may_guard ? "hardware may touch memory by a library of the program's (MPI, InfiniBand, io_uring)" : "RTCUDA_GUARD=0";
        if (bytes < least_guarded) return "arrays this small share their pages with others";
        if (page_bytes % element_bytes != 0 || (size_t)host % element_bytes != 0) return "elements lie across the ends of pages";
        if (!may_stay(host)) return "arrays on the stack end with their function";
        if (!was_seen(host)) return new_here;
        own = own_pages(host);
        const bool is_known = is_around(own, {(const char *)host, (const char *)host + bytes});
        return is_known ? nullptr : "an array is only a part of its block of memory, or nobody knows the block";
    }
    // Test that an array has pages of its block, and little more.
    static bool is_around(const span &own, const span &array)
    {
        return common(own, array).is_some() && array.first + page_bytes > own.first && array.last < own.last + page_bytes;
    }
    void begin_guard(const span &pages)
    {
        if (is_guarded() && pages.first == own.first && pages.last == own.last) return;
        watch_touches();
        // What others have behind closed pages may stay there.
        stays.each(pages_around(reach()), [&](stay &s) {
            if (&s == this || !s.is_guarded()) s.host_uses(reach(), true);
        });
        own = pages;
        blocks.note_guard(host);
    }
    // Of what a region left, all in pages of the block stays behind, and the rest comes home: so does all, where the host has
    // come for most of it behind each of the last regions.
    void close(const span &all)
    {
        const span inner = common(all, own), whole = inner.is_some() ? inner : span{all.last, all.last};
        const bool is_wanted = comes_back();
        const bool is_rewritten = is_wanted && n_written >= n_left / 2;
        const because_of now{is_wanted ? touched_by : running};
        come_home(is_wanted ? all : span{all.first, whole.first});
        if (!is_wanted) come_home({whole.last, all.last});
        if (is_rewritten) valid.remove(all);
        if (!is_wanted) begin_touches(), n_left = newer.bytes_within(reach());
        keep_edges();
        guard(all);
    }
    void come_home(const span &part)
    {
        if (part.is_some()) bring_newer(common(pages_around(part), reach()));
    }
    // Test that what a region leaves is wanted at once: then it is brought so for as many regions as the last time, and again.
    bool comes_back()
    {
        if (n_at_once > 0) return n_at_once--, true;
        const bool was_wanted = n_left > 0 && n_touched >= n_left / 2;
        if (n_left > 0) n_returns = was_wanted ? n_returns + 1 : 0;
        if (n_left > 0 && !was_wanted) n_next = 1;
        if (n_returns < 2) return false;
        n_returns = 1, n_left = 0;
        n_at_once = n_next = rt_min(2 * n_next, 1l << 16);
        return true;
    }
    span edge(const int k) const
    {
        const span all = reach();
        return k == 0 ? common(all, {nullptr, own.first}) : common(all, {own.last, everywhere.last});
    }
    // In pages at the edges of a block the host's changes are found by comparison.
    void keep_edges()
    {
        for (int k = 0; k < 2; k++) {
            const span s = edge(k);
            if (!s.is_some()) continue;
            if (!edges[k]) edges[k] = (char *)malloc(page_bytes);
            memcpy(edges[k], s.first, s.last - s.first);
        }
    }
    void look_at_edges()
    {
        for (int k = 0; k < 2; k++) {
            const span s = edge(k);
            if (s.is_some() && valid.meets(s) && (!edges[k] || memcmp(edges[k], s.first, s.last - s.first) != 0)) valid.remove(s);
        }
    }

    void let_go()
    {
        delete kept;
        kept = nullptr;
        changing = {nullptr, nullptr};
    }
    void take(memory &to, const memory &from, const span &part)
    {
        const long first = (part.first - host) / (long)element_bytes, last = (part.last - host) / (long)element_bytes;
        to.take(at, from, first, first, last);
    }
    void bring(const span &to) override
    {
        bring_home(at, left_by, device.array_name(), to.last - to.first, [&] { device.to_rows(at, {to_piece(to)}); });
    }
    void succeed(stay_on_device &shorter)
    {
        device.take(at, shorter.device, 0, 0, (long)(shorter.bytes / element_bytes));
        valid = shorter.valid, newer = shorter.newer, left_by = shorter.left_by;
        shorter.valid = shorter.newer = {};
        if (!shorter.is_guarded()) return;
        own = shorter.own;
        if (!is_around(own, reach())) end_guard();
        for (const int k : {0, 1}) valid.remove(edge(k));
        guard(reach());
    }
};

// Sends home what no array of the running region uses: other arrays need the memory.
inline bool send_home()
{
    const size_t before = stays.size();
    for (stay *const s : stays)
        if (s->users == 0) s->host_uses(everywhere, true);
    drop_stays();
    return stays.size() < before;
}
inline const bool room_is_made = (make_room = send_home, true);

// The host may use those bytes, or anything. What is guarded is brought where it does.
inline void host_may_use(const span &used, const bool writes)
{
    if (stays.empty()) return;
    stays.each(used, [&](stay &s) {
        if (!s.is_guarded()) s.host_uses(used, writes);
    });
    drop_stays();
}

// A call had nothing to do with what stays. Behind some in a row the next are not asked: until a region runs on the device, or the
// host touches a page. What stays without a guard comes home before, as soon as the calls that asked for its sake have
// taken as long as its way home and back would (rent or buy: Karlin, Manasse, Rudolph and Sleator 1988).
inline void note_apart()
{
    constexpr int most_apart = 8;
    if (++n_apart < most_apart || looks_at_all || stays.empty()) return;
    double home_and_back_ns = 0;
    for (const stay *const s : stays)
        if (!s->is_guarded()) home_and_back_ns += 2 * time_of_copy((double)s->valid_bytes(everywhere));
    if (n_apart * costs::asked_ns < home_and_back_ns) return;
    if (home_and_back_ns > 0) host_may_use(everywhere, true);
    rt_must_ask = 0;
}

// Test that nothing has to come home for the host to use those bytes, and nothing is to be forgotten. Where it may use anything,
// what is guarded is brought as it does.
inline bool is_apart(const span &used, const bool writes)
{
    return !stays.find(used.first ? used : everywhere, [&](const stay &s) {
        if (!used.first) return !s.is_guarded();
        return writes ? s.meets(used) : s.newer_bytes(used) > 0;
    });
}

// From the user's C.
inline int host_uses_next(const span &used, const bool writes, const user_line &at)
{
    if (stays.empty()) return 0;
    const turn taken;
    running = at;
    try {
        if (is_apart(used, writes))
            note_apart();
        else if (used.first)
            host_uses(used, writes);
        else
            host_may_use(used, writes);
        running = {};
    } catch (const error &e) {
        fprintf(stderr, "%s\n", e.message.c_str());
        end_failed();
    }
    return 0;
}

} // namespace rt

// Calls in the user's C: behind them, at that line, it may read what regions left on the device, or write to it too: anything,
// or those bytes.
extern "C" {
[[gnu::used]] inline int rt_host_reads(const char *const file, const int line)
{
    return rt::host_uses_next(rt::everywhere, false, {file, line});
}
[[gnu::used]] inline int rt_host_writes(const char *const file, const int line)
{
    return rt::host_uses_next(rt::everywhere, true, {file, line});
}
[[gnu::used]] inline int rt_host_reads_at(const volatile void *const at, const unsigned long bytes, const char *const file,
                                          const int line)
{
    return rt::host_uses_next({(const char *)at, (const char *)at + bytes}, false, {file, line});
}
[[gnu::used]] inline int rt_host_writes_at(const volatile void *const at, const unsigned long bytes, const char *const file,
                                           const int line)
{
    return rt::host_uses_next({(const char *)at, (const char *)at + bytes}, true, {file, line});
}
}

namespace rt {

// What an entry point returns where the user wants the original loops for arrays that do not fit.
inline int left(const too_large &e)
{
    leave(e.at, e.what.c_str());
    return rt_host_writes(e.at.file, e.at.line);
}

} // namespace rt

// What stays on the device between regions: which bytes of the host's memory the device has as they should be, and which of
// them the host has not. Who uses such memory on the host says so first: regions themselves, and the calls rt_host_reads ...
// that stand in the user's C where what follows may touch it.
#pragma once

#include <initializer_list>

#include "rt_patience.h"
#include "rt_profile.h"
#include "rt_rows.h"

namespace rt {

// Bytes of the host's memory.
struct span {
    const char *first, *last;
    bool is_some() const { return first < last; }
};
inline const span everywhere{nullptr, (const char *)~(size_t)0};

inline span common(const span &a, const span &b)
{
    return {a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

// Several, in order and apart.
class spans {
public:
    bool empty() const { return all.empty(); }
    void add(span s)
    {
        if (!s.is_some()) return;
        list<span> next;
        bool is_in = false;
        for (const span &a : all) {
            if (a.last >= s.first && a.first <= s.last) {
                s = {a.first < s.first ? a.first : s.first, a.last > s.last ? a.last : s.last};
                continue;
            }
            if (!is_in && a.first > s.last) next.push_back(s), is_in = true;
            next.push_back(a);
        }
        if (!is_in) next.push_back(s);
        all = next;
    }
    void remove(const span &s)
    {
        if (within(s).empty()) return;
        list<span> next;
        for (const span &a : all)
            for (const span &left : {common(a, {nullptr, s.first}), common(a, {s.last, everywhere.last})})
                if (left.is_some()) next.push_back(left);
        all = next;
    }
    list<span> within(const span &s) const
    {
        list<span> out;
        for (const span &a : all)
            if (common(a, s).is_some()) out.push_back(common(a, s));
        return out;
    }
    list<span> missing(const span &s) const
    {
        list<span> out;
        const char *at = s.first;
        for (const span &a : within(s)) {
            if (at < a.first) out.push_back({at, a.first});
            at = a.last;
        }
        if (at < s.last) out.push_back({at, s.last});
        return out;
    }
    const span *begin() const { return all.begin(); }
    const span *end() const { return all.end(); }
    bool meets(const span &s) const
    {
        const size_t first = first_behind(all.size(), [&](const size_t k) { return all[k].last <= s.first; });
        return s.is_some() && first < all.size() && all[first].first < s.last;
    }
    span around() const { return all.empty() ? span{nullptr, nullptr} : span{all[0].first, all.back().last}; }
    size_t bytes_within(const span &s) const
    {
        size_t bytes = 0;
        for (const span &a : within(s)) bytes += a.last - a.first;
        return bytes;
    }

private:
    list<span> all;
};

// What is left of an array of a region.
class stay {
public:
    int users = 0;        // arrays of the region that runs
    user_line written_at; // by the host, what the device had

    stay() { n_changes_of_place++; }
    stay(const stay &) = delete;
    virtual ~stay() = default;
    // The host is about to read those bytes, or to write them too: what it has not of them comes home.
    virtual void host_uses(const span &used, bool writes) = 0;
    // Those bytes were written, on the host or elsewhere on the device.
    virtual void forget(const span &written) = 0;
    // Whether the device has nothing of use.
    virtual bool is_empty() const = 0;
    // Whether any of those bytes may be its own, and where all of these are.
    virtual bool meets(const span &other) const = 0;
    virtual span reach() const = 0;
    // Of those bytes, how many the device has as they should be, and how many of these the host has not.
    virtual size_t valid_bytes(const span &of) const = 0;
    virtual size_t newer_bytes(const span &of) const = 0;

    // How often what stays has come to lie elsewhere on the host.
    inline static long n_changes_of_place = 0;
};

// All of them, in no order; those at some place are found without a look at the others.
class stays_by_place {
public:
    bool empty() const { return all.empty(); }
    size_t size() const { return all.size(); }
    stay *const *begin() const { return all.begin(); }
    stay *const *end() const { return all.end(); }
    void add(stay *const s) { all.push_back(s); }
    // Removes those that are of no use to anybody; false where there are none.
    bool drop()
    {
        const size_t before = all.size();
        for (size_t k = all.size(); k-- > 0;) {
            if (all[k]->users > 0 || !all[k]->is_empty()) continue;
            delete all[k];
            all[k] = all.back();
            all.pop_back();
        }
        if (all.size() < before) sorted_at = -1;
        return all.size() < before;
    }
    // Goes through those that may have some of these bytes, until one is found; that one, or null.
    template <class F> stay *find(const span &bytes, const F &is_it)
    {
        if (sorted_at != stay::n_changes_of_place) sort_all();
        size_t behind = first_behind(sorted.size(), [&](const size_t k) { return sorted[k].reach.first < bytes.last; });
        for (; behind > 0 && sorted[behind - 1].furthest > bytes.first; behind--) {
            const known &k = sorted[behind - 1];
            if (k.reach.last > bytes.first && is_it(*k.what)) return k.what;
        }
        return nullptr;
    }
    template <class F> void each(const span &bytes, const F &visit)
    {
        find(bytes, [&](stay &s) { return visit(s), false; });
    }

private:
    struct known {
        span reach;
        const char *furthest; // the end of it, and of all that begin before
        stay *what;
    };
    list<stay *> all;
    list<known> sorted; // by where they begin
    long sorted_at = -1; // changes of place by then

    void sort_all()
    {
        sorted.clear();
        for (stay *const s : all)
            if (s->reach().is_some()) sorted.push_back({s->reach(), nullptr, s});
        sort(sorted.begin(), sorted.size(), [](const known &a, const known &b) { return a.reach.first < b.reach.first; });
        const char *furthest = nullptr;
        for (known &k : sorted) k.furthest = furthest = k.reach.last > furthest ? k.reach.last : furthest;
        sorted_at = stay::n_changes_of_place;
    }
};
inline stays_by_place stays;

// Choice of calls that go to the device, by $RTCUDA_CHOICE: those that the model says, all, none, or any, which shows that a result
// is the same whatever is chosen. A simulation is there to show what the device does: all, unless it is told.
class choice : generator {
public:
    enum kind { model, device, host, shuffle };
    const kind of_all = asked();
    // One or the other, as a seed has it.
    bool by_chance() { return draw(2); }

private:
    kind asked()
    {
        const char *const text = env("RTCUDA_CHOICE");
        if (!text) return simulated ? device : model;
        if (strcmp(text, "model") == 0) return model;
        if (strcmp(text, "device") == 0) return device;
        if (strcmp(text, "host") == 0) return host;
        if (sscanf(text, "shuffle:%lu", &state) == 1) return shuffle;
        fprintf(stderr, "rtcuda: RTCUDA_CHOICE=%s: expected model, device, host or shuffle:SEED\n", text);
        exit(2);
    }
};
inline choice chosen;

// Calls are never too little to look at where some go that the model would keep, and a profile has them all.
inline const bool looks_at_all =
    chosen.of_all == choice::device || chosen.of_all == choice::shuffle || env("RTCUDA_PROFILE");

} // namespace rt

// Need of calls, be they as little as they may: read in the user's C. A call might have to bring home what
// stays.
extern "C" {
[[gnu::used]] inline int rt_must_ask = 1;
}

namespace rt {

inline void note_stays() { rt_must_ask = looks_at_all || !stays.empty(); }
inline const bool stays_are_noted = (note_stays(), true);
inline void add_stay(stay *const s)
{
    stays.add(s);
    note_stays();
}

// Forgets what nobody can want.
inline void drop_stays()
{
    if (stays.drop()) note_stays();
}

// The host is about to use those bytes, whatever they are part of but one.
inline void host_uses(const span &used, const bool writes, const stay *const but = nullptr)
{
    if (stays.empty()) return;
    stays.each(used, [&](stay &s) {
        if (&s != but) s.host_uses(used, writes);
    });
    drop_stays();
}
inline void forget(const span &written, const stay *const but = nullptr)
{
    if (stays.empty()) return;
    stays.each(written, [&](stay &s) {
        if (&s != but) s.forget(written);
    });
    drop_stays();
}

// Of an array in one block: at `host`, so many bytes long.
class stay_of_block : public stay {
public:
    char *const host;
    const size_t bytes, element_bytes;

    stay_of_block(void *const host, const size_t bytes, const size_t element_bytes)
        : host((char *)host), bytes(bytes), element_bytes(element_bytes)
    {
    }
    void host_uses(const span &used, const bool writes) override
    {
        const span here = elements(used);
        if (!here.is_some()) return;
        for (const span &part : newer.within(here)) bring(part);
        newer.remove(here);
        if (!writes) return;
        if (valid.meets(here)) written_at = running;
        for (const span &part : valid.within(here)) give_up(part);
        valid.remove(here);
    }
    void forget(const span &written) override
    {
        const span here = elements(written), exactly = common(written, reach());
        if (!here.is_some()) return;
        // Of elements that are written in part the host gets the rest.
        if (here.first < exactly.first) host_uses({here.first, exactly.first}, true);
        if (here.last > exactly.last) host_uses({exactly.last, here.last}, true);
        newer.remove(here);
        valid.remove(here);
    }
    bool is_empty() const override { return valid.empty(); }
    bool meets(const span &other) const override { return common(other, reach()).is_some(); }
    span reach() const override { return {host, host + bytes}; }
    size_t valid_bytes(const span &of) const override { return valid.bytes_within(of); }
    size_t newer_bytes(const span &of) const override { return newer.bytes_within(of); }

protected:
    spans valid; // as they should be on the device
    spans newer; // of these, what the host has not

    virtual void bring(const span &to) = 0;
    virtual void give_up(const span &) {}
    piece to_piece(const span &s) const { return {(char *)s.first, (size_t)(s.first - host), (size_t)(s.last - s.first)}; }

private:
    // The whole elements that are touched.
    span elements(const span &touched) const
    {
        const span here = common(touched, {host, host + bytes});
        if (!here.is_some()) return {host, host};
        const size_t first = (here.first - host) / element_bytes,
                     last = (here.last - host + element_bytes - 1) / element_bytes;
        return {host + first * element_bytes, host + last * element_bytes};
    }
};

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
    if (left_by) left_by->pay((double)bytes);
    profile *const times = profile_of(region);
    const double begin = seconds_now();
    copy();
    if (!times) return;
    times->copy_out.add(seconds_now() - begin);
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
    ~stay_on_device() override { let_go(); }
    // Another region's from here on.
    void belong_to(const place &region, const char *const array)
    {
        at = region;
        device.rename(array);
    }
    // A stay in which those bytes, elements of an array at that address, are as they should be, but one; or null.
    static const stay_on_device *with(const span &all, const void *const host, const size_t element_bytes, const stay *const but)
    {
        return (const stay_on_device *)stays.find(all, [&](const stay &s) {
            const stay_on_device *const here = &s == but ? nullptr : dynamic_cast<const stay_on_device *>(&s);
            const bool are_alike = here && here->element_bytes == element_bytes && ((char *)host - here->host) % (long)element_bytes == 0;
            return are_alike && here->valid.missing(all).empty();
        });
    }
    // What must come in for those bytes to be valid, and then is.
    list<piece> missing(const span &all)
    {
        list<piece> out;
        for (const span &part : valid.missing(all)) out.push_back(to_piece(part));
        valid.add(all);
        return out;
    }
    // A region wrote them, which pays when they come home.
    void leave(const span &all, patience *const of_region)
    {
        left_by = of_region;
        valid.add(all);
        newer.add(all);
        let_go();
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
        add_stay(made);
        if (succeeds) made->succeed(*shorter);
        return made;
    }

private:
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

// From the user's C.
inline int host_uses_next(const span &used, const bool writes, const user_line &at)
{
    if (stays.empty()) return 0;
    const holding taken{whose_turn};
    running = at;
    try {
        host_uses(used, writes);
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

// What stays on the device between regions: which bytes of the host's memory the device has as they should be, and which of
// them the host has not. Who uses such memory on the host says so first: regions themselves, and the calls rt_host_reads ...
// that stand in the user's C where what follows may touch it. Or it is guarded: its pages are closed to the host (rt_pages.h).
#pragma once

#include <initializer_list>

#include "rt_pages.h"
#include "rt_patience.h"
#include "rt_profile.h"
#include "rt_rows.h"

namespace rt {

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
    // A guard: the host may touch it without a word, and is held up.
    virtual bool is_guarded() const { return false; }
    // Pages in a range that are to be closed for it, and to be read only.
    virtual void wants(const span &, spans &, spans &) const {}
    // The host touches an address in a page that is not open to it.
    virtual void is_touched(const char *, bool) {}
    // The host fills those bytes with one value: whole pages that the device has as they should be are filled there. Those are told.
    virtual list<span> fill(const spans &, int) { return {}; }
    // No page can be closed any more: all of it comes home.
    virtual void end_guard() {}

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
    void add(stay *const s)
    {
        all.push_back(s);
        sorted_at = -1;
    }
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

// Closes and opens pages as what stays there wants it. Where the system allows no more of it (it counts runs of pages of one
// protection), all that is there comes home.
inline void guard(const span &changed)
{
    const span pages = pages_around(changed);
    spans closed, readable;
    stays.each(pages, [&](const stay &s) { s.wants(pages, closed, readable); });
    for (const span &s : closed) readable.remove(s);
    if (guarded.set(pages, closed, readable)) return;
    spans ended;
    stays.each(pages, [&](stay &s) {
        if (!s.is_guarded()) return;
        ended.add(s.reach());
        s.end_guard();
    });
    for (const span &s : ended) guard(s);
}

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

// Need of calls, be they as little as they may: read in the user's C. A call might have to bring home what stays, and goes
// where its arrays are on the device already.
extern "C" {
[[gnu::used]] inline int rt_must_ask = 1;
}

namespace rt {

// Calls in a row that had nothing to do with what stays, since a region ran on the device or the host touched what stays.
inline int n_apart = 0;
inline void note_stays()
{
    rt_must_ask = looks_at_all || !stays.empty();
    n_apart = 0;
}
inline const bool stays_are_noted = (note_stays(), true);
inline void add_stay(stay *const s)
{
    stays.add(s);
    has_kept = true;
    note_stays();
}

// Forgets what nobody can want.
inline void drop_stays()
{
    if (stays.drop()) note_stays();
}

// The host is about to use those bytes, whatever they are part of but one. What else lies in their pages may have closed them.
inline void host_uses(const span &used, const bool writes, const stay *const but = nullptr)
{
    if (stays.empty()) return;
    stays.each(pages_around(used), [&](stay &s) {
        if (&s != but) s.host_uses(used, writes);
    });
    drop_stays();
}
inline void forget(const span &written, const stay *const but = nullptr)
{
    if (stays.empty()) return;
    stays.each(pages_around(written), [&](stay &s) {
        if (&s != but) s.forget(written);
    });
    drop_stays();
}

// Of an array in one block: at `host`, so many bytes long. Where it is guarded, the host uses whole pages, and all that is newer in
// a page comes home at once.
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
        bring_newer(here);
        if (writes) {
            if (valid.meets(here)) written_at = running;
            for (const span &part : valid.within(here)) give_up(part);
            valid.remove(here);
        }
        if (is_guarded()) guard(here);
    }
    void forget(const span &written) override
    {
        const span here = elements(written), exactly = common(written, reach());
        if (!here.is_some()) return;
        if (!exactly.is_some()) return host_uses(here, true);
        // Of elements, or pages, that are written in part the host gets the rest.
        if (here.first < exactly.first) host_uses({here.first, exactly.first}, true);
        if (here.last > exactly.last) host_uses({exactly.last, here.last}, true);
        newer.remove(here);
        valid.remove(here);
        if (is_guarded()) guard(here);
    }
    bool is_guarded() const override { return own.is_some(); }
    void wants(const span &pages, spans &closed, spans &readable) const override
    {
        if (!is_guarded()) return;
        for (const span &s : newer.within(pages)) closed.add(common(common(pages_around(s), own), pages));
        for (const span &s : valid.within(pages)) readable.add(common(common(pages_around(s), own), pages));
    }
    void is_touched(const char *const at, const bool writes) override
    {
        const span page = pages_around({at, at + 1});
        if (!is_guarded() || !(newer.meets(page) || (writes && valid.meets(page)))) return;
        const span next = next_piece(at);
        touched_by = running;
        n_touched += newer.bytes_within(next), n_written += writes ? valid.bytes_within(next) : 0;
        host_uses(next, writes);
    }
    void end_guard() override
    {
        if (!is_guarded()) return;
        bring_newer(reach());
        own = {nullptr, nullptr};
        valid = {};
    }
    bool is_empty() const override { return valid.empty(); }
    bool meets(const span &other) const override { return common(other, reach()).is_some(); }
    span reach() const override { return {host, host + bytes}; }
    size_t valid_bytes(const span &of) const override { return valid.bytes_within(of); }
    size_t newer_bytes(const span &of) const override { return newer.bytes_within(of); }

protected:
    spans valid; // as they should be on the device
    spans newer; // of these, what the host has not
    span own{nullptr, nullptr}; // pages of its block that are its own, if it is guarded
    size_t n_touched = 0, n_written = 0; // bytes that the host has wanted since the last region
    user_line touched_by;                // the last time

    virtual void bring(const span &to) = 0;
    virtual void give_up(const span &) {}
    // All that is newer of those bytes comes home, into memory that may be closed.
    void bring_newer(const span &of)
    {
        is_home_closed = is_guarded();
        for (const span &part : newer.within(of)) bring(part);
        is_home_closed = false;
        newer.remove(of);
    }
    piece to_piece(const span &s) const { return {(char *)s.first, (size_t)(s.first - host), (size_t)(s.last - s.first)}; }
    void begin_touches() { n_touched = n_written = 0, last_piece = {nullptr, nullptr}; }

private:
    static constexpr size_t least_piece = 1 << 16;
    span last_piece{nullptr, nullptr}; // that was touched

    // The bytes that come home where the host touches an address: some pages, and twice as much where it goes on behind them.
    span next_piece(const char *const at)
    {
        const size_t before = (size_t)(last_piece.last - last_piece.first);
        const bool goes_on = before > 0 && at >= last_piece.last && (size_t)(at - last_piece.last) < 2 * before;
        const char *const first = (const char *)((size_t)at / least_piece * least_piece);
        const size_t n = goes_on ? 2 * before : least_piece;
        return last_piece = {first, first + n};
    }

    // The whole elements that are touched, and the whole pages where it is guarded.
    span elements(const span &touched) const
    {
        const span here = common(is_guarded() ? pages_around(touched) : touched, {host, host + bytes});
        if (!here.is_some()) return {host, host};
        const size_t first = (here.first - host) / element_bytes,
                     last = (here.last - host + element_bytes - 1) / element_bytes;
        return {host + first * element_bytes, host + last * element_bytes};
    }
};

} // namespace rt

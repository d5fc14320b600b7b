// Check mode: the host has all there is. What would stay on the device is kept aside, and what the host would not have is made
// unreadable: whoever touches it without a word is found out, at the latest when it comes home.
#pragma once

#include "rt_stay_rows.h"

namespace rt {

// Hears of elements that changed where nobody had said so.
class witness {
public:
    virtual ~witness() = default;
    virtual void is_changed(const char *name, long n) = 0;
};

// As many bytes as the device would have.
class kept_aside {
public:
    kept_aside(witness &by, const char *name, const size_t bytes) : by(by), name(name), kept((char *)malloc(bytes + 1))
    {
        if (kept) return;
        fprintf(stderr, "rtcuda: no memory to keep %s of array %s aside\n", bytes_text((double)bytes).c_str(), name);
        end_failed();
    }
    kept_aside(const kept_aside &) = delete;
    ~kept_aside() { free(kept); }
    void keep(const piece &p) const { memcpy(kept + p.device, p.host, p.bytes); }
    void hide(const piece &p) const { memset(p.host, unreadable, p.bytes); }
    void bring(const piece &p) const
    {
        long n = 0;
        for (size_t i = 0; i < p.bytes; i++) n += (unsigned char)p.host[i] != unreadable;
        if (n > 0) by.is_changed(name, n);
        memcpy(p.host, kept + p.device, p.bytes);
    }
    void give_up(const piece &p) const
    {
        if (memcmp(p.host, kept + p.device, p.bytes) != 0) by.is_changed(name, 1);
    }

private:
    static constexpr unsigned char unreadable = 0xFF; // a number that is none, an index far out
    witness &by;
    const char *const name;
    char *const kept;
};

class block_left_behind : public stay_of_block {
public:
    block_left_behind(witness &by, const char *name, const span &touched, const span &written, const size_t element_bytes)
        : stay_of_block((void *)touched.first, touched.last - touched.first, element_bytes), aside(by, name, bytes)
    {
        aside.keep(to_piece(touched));
        valid.add(touched);
        newer.add(written);
        if (written.is_some()) aside.hide(to_piece(written));
    }

private:
    const kept_aside aside;
    void bring(const span &to) override { aside.bring(to_piece(to)); }
    void give_up(const span &part) override { aside.give_up(to_piece(part)); }
};

class rows_left_behind : public stay_of_rows {
public:
    rows_left_behind(witness &by, const char *name, const rows &live)
        : stay_of_rows(live), aside(by, name, all.size() * row_length * element_bytes)
    {
        if (!adopt(live)) return;
        for (const row &r : live) {
            kept &row = all[place_of(r)];
            set_valid(row, row.known);
            aside.keep(to_piece(place_of(r), row.valid));
            if (r.out_first >= r.out_last) continue;
            set_newer(row, {r.out_first, r.out_last});
            aside.hide(to_piece(place_of(r), row.newer));
        }
    }

private:
    const kept_aside aside;
    void bring(const list<piece> &pieces) override
    {
        for (const piece &p : pieces) aside.bring(p);
    }
    void give_up(const size_t place) override { aside.give_up(to_piece(place, all[place].valid)); }
};

} // namespace rt

// Bytes of the host's memory: one run of them, and several.
#pragma once

#include "rt_containers.h"

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

} // namespace rt

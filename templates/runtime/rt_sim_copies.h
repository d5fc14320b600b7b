// Asynchronous copies of a simulated thread. What they bring is in shared memory from the thread's wait for their group
// on, and not before: on a GPU it may come at any time between. Until then the element is under way to whoever touches
// it.
#pragma once

#include "rt_sim_shadow.h"

namespace rt_sim {

// An element that is being copied.
struct copied_element {
    shared_array *array;
    long index;
    void *to;
    unsigned char value[8], bytes;
    rt_where at;
    unsigned group;
};

class copy_queue {
public:
    void begin(const copied_element &e)
    {
        note_begun(*e.array, e.index, e.at);
        under_way.push_back(e);
        under_way.back().group = groups;
    }
    void commit() { groups++; }
    // Until only the newest `pending` groups are under way, and what belongs to none yet.
    void wait(const unsigned pending)
    {
        rt::list<copied_element> left;
        for (const copied_element &e : under_way) {
            if (e.group + pending < groups)
                arrive(e);
            else
                left.push_back(e);
        }
        under_way = left;
    }
    // The thread ends.
    void end()
    {
        if (!under_way.empty()) add_never_waited();
        for (const copied_element &e : under_way) arrive(e);
        under_way.clear();
        groups = 0;
    }

private:
    rt::list<copied_element> under_way;
    unsigned groups = 0;

    static void arrive(const copied_element &e)
    {
        memcpy(e.to, e.value, e.bytes);
        note_arrived(*e.array, e.index, e.at);
    }
    [[gnu::cold, gnu::noinline]] void add_never_waited() const
    {
        const copied_element &e = under_way[0];
        const rt::text index = e.array->subscripts(e.index);
        add_finding({"never-waited",
                     now.kernel,
                     e.array->name,
                     index,
                     e.array->name + index + " is copied to, and the thread ends without a wait for that",
                     e.array->extent,
                     {"copies to", now.block, now.thread_idx, e.at},
                     false,
                     {},
                     1});
    }
};

} // namespace rt_sim

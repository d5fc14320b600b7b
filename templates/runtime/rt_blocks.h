// The blocks of memory that the program has: what malloc and its like have given and free has not taken back. An entry asks
// how far memory goes behind a pointer of which the program's text does not say it (rt_reach.h).
//
// The functions of the C library that allocate are defined here as weak symbols of their names (rt_allocator.h), so that
// calls of any object of the program come by. Little blocks are not kept: they cost a comparison.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_base.h"

namespace rt {

// Bytes of the program's that belong together.
struct block {
    const char *first, *last;
    bool has_pages = false; // all of whose bytes are its own
    bool is_some() const { return first < last; }
    bool holds(const char *const from, const char *const to) const { return first <= from && to <= last; }
};

// A call of the C library's that ends a block and keeps its contents: its name, and the instruction that makes it.
struct mover {
    const char *name;
    const void *code;
};

// Hears of the end of a block that is guarded (rt_pages.h): given back, or about to be moved by a call.
inline void (*block_ends)(const block &, const mover *by) = nullptr;

// Blocks by their addresses, none of which overlap: a treap (Seidel and Aragon, 1996). Nothing in it allocates by malloc, and
// all of it is zero before any constructor runs, since allocation begins before main.
class block_table {
public:
    static constexpr size_t least_bytes = 1 << 15;

    // A new block takes the place of all that were where it is: these were given back unseen.
    void add(const void *const at, const size_t bytes, const bool has_pages = false)
    {
        if (!at || bytes < least_bytes) return;
        const char *const first = (const char *)at;
        if (replace({first, first + bytes, has_pages}) && block_ends) block_ends({first, first + bytes}, nullptr);
    }

    // Test that a block may begin there: most of what is given back is in pages where none does.
    bool may_begin(const void *const at) const
    {
        return __atomic_load_n(&n_starts[page_class(at)], __ATOMIC_RELAXED) != 0;
    }
    // The block that begins there is given back, or is about to be moved; says how long it was, if it is known.
    size_t take(const void *const at, const mover *const by = nullptr)
    {
        if (!may_begin(at)) return 0;
        bool was_guarded = false;
        const size_t bytes = end(at, was_guarded);
        if (was_guarded && block_ends) block_ends({(const char *)at, (const char *)at + bytes}, by);
        return bytes;
    }
    // Test for a block that is known to begin there, of those that were used last, and whose end nobody wants to hear of.
    bool is_free_to_move(const void *const at) const
    {
        const node *const known = latest[slot(at)];
        return known && known->of.first == at && !known->is_guarded;
    }
    // Such a block has another length where it is. False where others may have been there, which add finds.
    bool resize(const void *const at, const size_t bytes)
    {
        constexpr size_t most_pages = 4;
        node *const known = latest[slot(at)];
        const char *const last = (const char *)at + bytes;
        const size_t first_page = (size_t)(known->of.last - 1) >> 12, last_page = (size_t)(last - 1) >> 12;
        if (bytes < least_bytes || last_page > first_page + most_pages) return false;
        for (size_t page = first_page; page <= last_page; page++) {
            if (n_starts[page % n_classes] != 0) return false;
        }
        known->of = {known->of.first, last, false};
        return true;
    }
    // Somebody wants to hear of the end of the block around an address.
    void note_guard(const void *const at)
    {
        const holding hold(lock);
        node *const found = before((const char *)at + 1);
        if (found) found->is_guarded = true;
    }

    // The block that an address lies in, or none.
    block around(const void *const at)
    {
        const holding hold(lock);
        const node *const found = before((const char *)at + 1);
        return found && (const char *)at < found->of.last ? found->of : block{nullptr, nullptr};
    }

    // Where the last block begins that begins at an address or before it, or null.
    const char *last_begin(const void *const at)
    {
        const holding hold(lock);
        const node *const found = before((const char *)at + 1);
        return found ? found->of.first : nullptr;
    }

    void freeze() { pthread_mutex_lock(&lock); }
    void thaw() { pthread_mutex_unlock(&lock); }
    void belong_to_child() { lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; } // the thread has another number there

private:
    struct node {
        block of;
        node *lower, *upper;
        unsigned priority;
        bool is_guarded;
    };
    static constexpr size_t nodes_bytes = 1 << 16, n_classes = 1 << 14, n_latest = 1 << 6;

    pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; // other handlers of a fork may allocate
    node *root = nullptr;
    node *unused = nullptr;
    unsigned seed = 0;
    // How many blocks begin in pages of a class.
    unsigned short n_starts[n_classes] = {};

    // Blocks that were put in last, by their addresses: a program that lets one grow by an element at a time finds it here.
    node *latest[n_latest] = {};

    static size_t slot(const void *const at) { return ((size_t)at >> 12) % n_latest; }
    static size_t page_class(const void *const at) { return ((size_t)at >> 12) % n_classes; }
    void starts(const char *const first, const int more)
    {
        __atomic_fetch_add(&n_starts[page_class(first)], (unsigned short)more, __ATOMIC_RELAXED);
    }

    // Puts a block where others were; says whether one of these was guarded.
    bool replace(const block &of)
    {
        const holding hold(lock);
        bool was_guarded = false;
        while (const node *const old = before(of.last)) {
            if (old->of.last <= of.first) break;
            was_guarded |= old->is_guarded;
            remove(old->of.first);
        }
        node *const made = new_node(of);
        if (!made) return was_guarded;
        node *lower, *upper;
        split(root, of.first, lower, upper);
        root = merge(merge(lower, made), upper);
        starts(of.first, 1);
        latest[slot(of.first)] = made;
        return was_guarded;
    }
    size_t end(const void *const at, bool &was_guarded)
    {
        const holding hold(lock);
        const node *const old = before((const char *)at + 1);
        if (!old || old->of.first != at) return 0;
        const size_t bytes = (size_t)(old->of.last - old->of.first);
        was_guarded = old->is_guarded;
        remove(old->of.first);
        return bytes;
    }

    // The last that begins before an address.
    node *before(const char *const at) const
    {
        node *found = nullptr;
        for (node *n = root; n;) {
            const bool begins_before = n->of.first < at;
            if (begins_before) found = n;
            n = begins_before ? n->upper : n->lower;
        }
        return found;
    }
    void remove(const char *const first)
    {
        node **link = &root;
        while ((*link)->of.first != first) link = first < (*link)->of.first ? &(*link)->lower : &(*link)->upper;
        node *const old = *link;
        *link = merge(old->lower, old->upper);
        old->lower = unused;
        unused = old;
        starts(first, -1);
        if (latest[slot(first)] == old) latest[slot(first)] = nullptr;
    }
    // Those that begin before an address, and the others.
    static void split(node *const all, const char *const at, node *&lower, node *&upper)
    {
        if (!all) {
            lower = upper = nullptr;
        } else if (all->of.first < at) {
            split(all->upper, at, all->upper, upper);
            lower = all;
        } else {
            split(all->lower, at, lower, all->lower);
            upper = all;
        }
    }
    static node *merge(node *const lower, node *const upper)
    {
        if (!lower || !upper) return lower ? lower : upper;
        if (lower->priority < upper->priority) {
            upper->lower = merge(lower, upper->lower);
            return upper;
        }
        lower->upper = merge(lower->upper, upper);
        return lower;
    }
    // Null where the system gives no memory: the block stays unknown.
    node *new_node(const block &of)
    {
        if (!unused) {
            void *const more = (void *)syscall(SYS_mmap, nullptr, nodes_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0l);
            if (more == MAP_FAILED) return nullptr;
            node *const made = (node *)more;
            for (size_t k = 0; k < nodes_bytes / sizeof(node); k++) made[k].lower = unused, unused = &made[k];
        }
        node *const n = unused;
        unused = n->lower;
        seed = seed * 1664525u + 1013904223u;
        *n = {of, nullptr, nullptr, seed, false};
        return n;
    }
};
inline constinit block_table blocks;

} // namespace rt

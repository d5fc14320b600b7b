// A growing array and a text: the little of std::vector and std::string that the runtime needs, at a tenth of their
// compile time, which every converted file pays.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <initializer_list>
#include <new>

namespace rt {

// Elements are moved by their bytes: they hold no addresses of themselves.
template <class T> class list {
public:
    list() = default;
    list(const std::initializer_list<T> items)
    {
        for (const T &item : items) push_back(item);
    }
    list(const list &other)
    {
        for (const T &item : other) push_back(item);
    }
    list &operator=(const list &other)
    {
        if (this == &other) return *this;
        clear();
        for (const T &item : other) push_back(item);
        return *this;
    }
    ~list()
    {
        clear();
        free((void *)items);
    }
    void push_back(const T &item)
    {
        if (n == room) reserve(room ? 2 * room : 8);
        new ((void *)(items + n)) T(item);
        n++;
    }
    void pop_back() { items[--n].~T(); }
    void clear()
    {
        while (n > 0) pop_back();
    }
    // n_items copies of one.
    void assign(const size_t n_items, const T &item)
    {
        clear();
        reserve(n_items);
        while (n < n_items) push_back(item);
    }
    size_t size() const { return n; }
    bool empty() const { return n == 0; }
    T &operator[](const size_t i) { return items[i]; }
    const T &operator[](const size_t i) const { return items[i]; }
    T &back() { return items[n - 1]; }
    const T &back() const { return items[n - 1]; }
    T *begin() { return items; }
    T *end() { return items + n; }
    const T *begin() const { return items; }
    const T *end() const { return items + n; }

private:
    T *items = nullptr;
    size_t n = 0, room = 0;

    void reserve(const size_t wanted)
    {
        if (wanted <= room) return;
        items = (T *)realloc((void *)items, (room = wanted) * sizeof(T));
        if (!items) abort();
    }
};

// The first of n, in their order, of which that holds no more.
template <class F> size_t first_behind(const size_t n, const F &holds)
{
    size_t first = 0;
    for (size_t last = n; first < last;) {
        const size_t middle = first + (last - first) / 2;
        if (holds(middle))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Sorts by `before`: what is in order already stands in few runs (the rows of one array, then those of the next), and
// neighbouring runs are merged until one is left.
template <class T, class F> void sort(T *const items, const size_t n, const F &before)
{
    list<size_t> runs; // where each begins, and the end
    for (size_t k = 0; k < n; k++)
        if (k == 0 || before(items[k], items[k - 1])) runs.push_back(k);
    runs.push_back(n);
    list<T> merged;
    if (runs.size() > 2) merged.assign(n, items[0]);
    while (runs.size() > 2) {
        list<size_t> left;
        for (size_t k = 0; k + 1 < runs.size(); k += 2) {
            const size_t first = runs[k], middle = runs[k + 1], last = k + 2 < runs.size() ? runs[k + 2] : middle;
            left.push_back(first);
            for (size_t a = first, b = middle, at = first; at < last; at++)
                merged[at] = b == last || (a < middle && !before(items[b], items[a])) ? items[a++] : items[b++];
        }
        left.push_back(n);
        for (size_t k = 0; k < n; k++) items[k] = merged[k];
        runs = left;
    }
}

class text {
public:
    text() : text("") {}
    text(const char *source) : characters(strdup(source)) {}
    text(const text &other) : text(other.characters) {}
    text &operator=(const text &other)
    {
        if (this == &other) return *this;
        free(characters);
        characters = strdup(other.characters);
        return *this;
    }
    ~text() { free(characters); }
    const char *c_str() const { return characters; }
    size_t size() const { return strlen(characters); }
    bool empty() const { return !*characters; }
    bool operator==(const text &other) const { return strcmp(characters, other.characters) == 0; }
    text &operator+=(const text &other)
    {
        const size_t here = size();
        characters = (char *)realloc(characters, here + other.size() + 1);
        if (!characters) abort();
        strcpy(characters + here, other.characters);
        return *this;
    }
    friend text operator+(text left, const text &right) { return left += right; }

private:
    char *characters;
};

[[gnu::format(printf, 1, 2)]] inline text format(const char *pattern, ...)
{
    char *made = nullptr;
    va_list arguments;
    va_start(arguments, pattern);
    if (vasprintf(&made, pattern, arguments) < 0) abort();
    va_end(arguments);
    const text out(made);
    free(made);
    return out;
}

inline text joined(const list<text> &items, const char *between = ",")
{
    text out;
    for (const text &item : items) {
        if (&item != items.begin()) out += between;
        out += item;
    }
    return out;
}

} // namespace rt

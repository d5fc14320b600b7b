// Times of regions, written as JSON to $RTCUDA_PROFILE when the program ends.
#pragma once

#include "rt_symbols.h"

namespace rt {

struct profile_row {
    text name;
    long calls;
    double seconds, least = 0; // in all, and of the quickest
    void add(const double s, const long n = 1)
    {
        if (calls == 0 || s / n < least) least = s / n;
        calls += n, seconds += s;
    }
    text json() const
    {
        return format("{\"name\":%s,\"calls\":%ld,\"seconds\":%s,\"least_s\":%s}", quoted(name).c_str(), calls,
                      number(seconds).c_str(), number(least).c_str());
    }
};

// Code of the user's: a line, or where no text of ours announces it, an instruction, and the function of the C library that it
// calls to touch memory, if that is known.
struct user_line {
    const char *file = nullptr;
    int line = 0;
    const void *code = nullptr;
    const char *call = nullptr;
    bool is_known() const { return file || code || call; }
    bool operator==(const user_line &other) const
    {
        const bool is_same_file = file == other.file || (file && other.file && strcmp(file, other.file) == 0);
        return is_same_file && line == other.line && code == other.code && call == other.call;
    }
    // The instruction by its file and the place in it, as addr2line takes them.
    text json() const
    {
        const loaded in = code ? loaded::with((const char *)code) : loaded();
        if (!in.part.is_some()) return call ? format("{\"call\":%s}", quoted(call).c_str()) : text("null");
        char *const path = realpath(in.path.c_str(), nullptr);
        const text called = call ? format("\"call\":%s,", quoted(call).c_str()) : text();
        const text out = format("{%s\"module\":%s,\"offset\":%ld}", called.c_str(), quoted(path ? path : in.path.c_str()).c_str(),
                                (long)((const char *)code - in.base));
        free(path);
        return out;
    }
};

// Copies of an array to the device or home because of code: of the host, which wrote what is to be there, or uses what is
// not at home; else the region's.
struct moved {
    text array;
    bool is_home;
    user_line because;
    long copies;
    double bytes;
    text json(const place &region) const
    {
        const bool is_line = because.file;
        return format("{\"array\":%s,\"to_host\":%s,\"file\":%s,\"line\":%d,\"by\":%s,\"copies\":%ld,\"bytes\":%s}",
                      quoted(array.c_str()).c_str(), is_home ? "true" : "false", quoted(is_line ? because.file : region.file).c_str(),
                      is_line ? because.line : region.line, because.json().c_str(), copies, number(bytes).c_str());
    }
};

// Of all calls of a region. The total is the host's clock, from the region's start to its end.
struct profile {
    struct span {
        double begin, end;
    };
    place at;
    profile_row copy_in, copy_out, total;
    list<profile_row> kernels;
    list<moved> moves;
    long n_left = 0; // calls that one core of the host does sooner
    double left_s = 0; // what these take it, by the cost model
    list<span> spans = {};
    profile_row together = {"together", 0, 0}; // launches in a row, where these are timed as one

    // A call took so long until now. When that was, by the system's clock, which who meters the device has, too: calls that
    // follow each other soon are one span.
    void add_call(const double seconds)
    {
        const double end = system_time();
        total.add(seconds);
        add(spans, {end - seconds, end});
    }
    static void add(list<span> &spans, const span &next)
    {
        const double soon = 1e-3;
        if (!spans.empty() && next.begin - spans.back().end < soon)
            spans.back().end = next.end;
        else
            spans.push_back(next);
    }

    profile_row &kernel(const char *name)
    {
        for (profile_row &row : kernels)
            if (row.name == name) return row;
        kernels.push_back({name, 0, 0});
        return kernels.back();
    }
    void add_move(const char *const array, const size_t bytes, const bool is_home, user_line because)
    {
        if (!because.is_known()) because = {at.file, at.line};
        for (moved &m : moves)
            if (m.is_home == is_home && m.because == because && strcmp(m.array.c_str(), array) == 0) {
                m.copies++, m.bytes += (double)bytes;
                return;
            }
        moves.push_back({array, is_home, because, 1, (double)bytes});
    }
    text json() const
    {
        list<text> rows, when, moves_in_json;
        for (const moved &m : moves) moves_in_json.push_back(m.json(at));
        for (const profile_row &row : kernels) rows.push_back(row.json());
        for (const span &s : spans) when.push_back(format("[%.6f,%.6f]", s.begin, s.end));
        return format("{\"region\":%s,\"file\":%s,\"line\":%d,\"calls\":%ld,\"left\":%ld,\"left_s\":%s,\"total_s\":%s,\"copy_in\":%s,"
                      "\"kernels\":[%s],\"copy_out\":%s,\"moves\":[%s],\"spans\":[%s]}",
                      quoted(at.region).c_str(), quoted(at.file).c_str(), at.line, total.calls, n_left,
                      number(left_s).c_str(), number(total.seconds).c_str(), copy_in.json().c_str(), joined(rows).c_str(),
                      copy_out.json().c_str(), joined(moves_in_json, ",").c_str(), joined(when, ",").c_str());
    }
};

// Launches of each kernel in the place of one, and when they ran: for who meters the device, and resolves no single one.
inline long n_repeats = 1;
inline list<profile::span> repeated;

// Work for the device ahead of launches in a row, where somebody has some: these are timed as one then, with what the device
// waits for the host between them. On an idle device the time would begin before the host has launched anything.
inline void (*ahead_of_launches)() = nullptr;

template <class P, class F> void launch_repeated(const P &at, const F &launch)
{
    if (n_repeats == 1) return launch();
    synchronise(at);
    const double begin = system_time();
    for (long k = 0; k < n_repeats; k++) launch();
    synchronise(at);
    profile::add(repeated, {begin, system_time()});
}

// The code that runs, as far as arrays come home because of it.
inline user_line running;
struct because_of {
    const user_line before = running;
    explicit because_of(const user_line &now) { running = now; }
    because_of(const because_of &) = delete;
    ~because_of() { running = before; }
};

inline list<profile *> profiles;

// Reasons that kept arrays from the device between regions, by bytes; and whether some was kept all the same.
struct refusal {
    const char *why;
    double bytes;
};
inline list<refusal> refusals;
inline bool has_kept = false;

inline void note_refusal(const char *const why, const size_t bytes)
{
    if (profiles.empty()) return;
    for (refusal &r : refusals)
        if (strcmp(r.why, why) == 0) return (void)(r.bytes += (double)bytes);
    refusals.push_back({why, (double)bytes});
}

inline void write_profiles()
{
    list<text> rows;
    for (const profile *p : profiles) rows.push_back(p->json());
    refusal most{nullptr, -1};
    for (const refusal &r : refusals)
        if (r.bytes > most.bytes) most = r;
    const text kept = has_kept || !most.why ? text() : format(",\"nothing_kept\":%s", quoted(most.why).c_str());
    write_file(env("RTCUDA_PROFILE"), "{\"regions\":[\n" + joined(rows, ",\n") + "\n]" + kept + "}\n");
}

// The profile of a region; null unless $RTCUDA_PROFILE asks for one.
inline profile *profile_of(const place &at)
{
    if (!env("RTCUDA_PROFILE")) return nullptr;
    for (profile *p : profiles)
        if (p->at == at) return p;
    if (profiles.empty()) at_exit(write_profiles);
    profiles.push_back(new profile{at, {"copy_in", 0, 0}, {"copy_out", 0, 0}, {"total", 0, 0}, {}, {}});
    return profiles.back();
}

} // namespace rt

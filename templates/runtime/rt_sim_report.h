// Findings of the simulation: collected, printed when first seen, written as JSON at exit.
//
// {"findings": [{"kind": "race" | "stale-read" | "out-of-bounds" | "uninitialised" | "divergent-barrier" |
//   "missing-lanes" | "misaligned" | "not-arrived" | "never-waited", "kernel", "array", "index", "extent", "message", "count",
//   "access", "block": [z,y,x], "thread": [z,y,x], "cu_file", "cu_line", "c_file", "c_line",
//   "other": {"access", "block", ... "c_line"}}]}       of a race, a stale read and what has not arrived: the access
//                                                            before
#pragma once

#include "rt_base.h"

// Where generated code does something: its own line in the .cu file.
struct rt_where {
    int line;
    const char *file;
    static constexpr rt_where here(const int line = __builtin_LINE(), const char *file = __builtin_FILE())
    {
        return {line, file};
    }
};

namespace rt_sim {

struct index3 {
    unsigned x, y, z;
    rt::text text() const { return rt::format("(%u,%u,%u)", z, y, x); }
    rt::text json() const { return rt::format("[%u,%u,%u]", z, y, x); }
};

// One side of a finding. Positions are printed outermost first: (z,y,x).
struct access {
    const char *verb; // "reads", "writes", "updates atomically"
    index3 block, thread;
    rt_where at;
};

struct finding {
    rt::text kind, kernel, array, index, message;
    long extent;
    access here;
    bool has_other;
    access other; // of a race: the access before
    long count;
};

inline rt::list<finding> findings;

// The line of the user's C behind a line of the .cu file: the nearest comment `// name.c:LINE` on it or above.
// What the entry point itself does is known by its C line already.
struct c_line {
    rt::text file;
    int line = 0;
    rt::text text() const { return line ? rt::format("%s:%d", file.c_str(), line) : "?"; }
};

inline c_line c_line_of(const rt_where at)
{
    const char *const dot = strrchr(at.file, '.');
    if (dot && strcmp(dot, ".c") == 0) return {at.file, at.line};
    c_line found;
    FILE *source = fopen(at.file, "r");
    if (!source) return found;
    char text[1024];
    for (int line = 1; line <= at.line && fgets(text, sizeof text, source);) {
        for (char *comment = strstr(text, "// "); comment; comment = strstr(comment + 1, "// ")) {
            char name[256];
            int number;
            if (sscanf(comment, "// %255[^: ]:%d", name, &number) == 2 && number > 0)
                found.file = name, found.line = number;
        }
        line += strchr(text, '\n') != nullptr;
    }
    fclose(source);
    return found;
}

inline rt::text access_text(const access &a, const char *label)
{
    return rt::format("  %sthread %s of block %s %s at %s:%d (C: %s)\n", label, a.thread.text().c_str(),
                      a.block.text().c_str(), a.verb, a.at.file, a.at.line, c_line_of(a.at).text().c_str());
}

inline rt::text access_json(const access &a)
{
    const c_line c = c_line_of(a.at);
    return rt::format(
        "\"access\":%s,\"block\":%s,\"thread\":%s,\"cu_file\":%s,\"cu_line\":%d,\"c_file\":%s,\"c_line\":%d",
        rt::quoted(a.verb).c_str(), a.block.json().c_str(), a.thread.json().c_str(), rt::quoted(a.at.file).c_str(),
        a.at.line, rt::quoted(c.file).c_str(), c.line);
}

inline void report_findings()
{
    rt::list<rt::text> rows;
    for (const finding &f : findings) {
        if (f.count > 1) {
            fprintf(stderr, "rtcuda: simulation: %s, kernel %s, %s: %ld times in all\n", f.kind.c_str(),
                    f.kernel.c_str(), f.array.empty() ? c_line_of(f.here.at).text().c_str() : f.array.c_str(), f.count);
        }
        rt::text row = rt::format(
            "{\"kind\":%s,\"kernel\":%s,\"array\":%s,\"index\":%s,\"extent\":%ld,\"message\":%s,\"count\":%ld,",
            rt::quoted(f.kind).c_str(), rt::quoted(f.kernel).c_str(), rt::quoted(f.array).c_str(),
            rt::quoted(f.index).c_str(), f.extent, rt::quoted(f.message).c_str(), f.count);
        row += access_json(f.here);
        if (f.has_other) row += ",\"other\":{" + access_json(f.other) + "}";
        rows.push_back(row + "}");
    }
    if (const char *path = rt::env("RTCUDA_FINDINGS")) {
        rt::write_file(path, "{\"findings\":[" + (rows.empty() ? "" : "\n" + rt::joined(rows, ",\n") + "\n") + "]}\n");
    }
}

// Adds a finding. The first of its kind on an array and a line is printed in full, the others are counted.
inline void add_finding(const finding &f)
{
    for (finding &known : findings) {
        if (known.here.at.line == f.here.at.line && known.kind == f.kind && known.array == f.array &&
            known.kernel == f.kernel) {
            known.count++;
            return;
        }
    }
    findings.push_back(f);
    findings.back().count = 1;
    fprintf(stderr, "rtcuda: simulation: %s in kernel %s: %s\n%s%s", f.kind.c_str(), f.kernel.c_str(),
            f.message.c_str(), access_text(f.here, "").c_str(),
            f.has_other ? access_text(f.other, "and before it ").c_str() : "");
    if (!rt::env("RT_SIM_KEEP_GOING")) rt::end_with(rt::exit_findings);
}

} // namespace rt_sim

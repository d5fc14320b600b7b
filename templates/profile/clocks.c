/* Time that each loop takes by itself, without the loops that have a clock of their own and run inside it, here or in functions
 * that it calls. The thread that starts the program has clocks, others have none. A loop that is over within a microsecond is
 * timed at about every 64th entry, and with it all that runs inside; what runs inside the entries between is only counted. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "clocks.h"

#define SITES RTCUDA_SITES
#define DEEPEST 1024
#define TRIED 1000
#define SHORT_NS 1000
#define EVERY 64

struct rtcuda_site rtcuda_sites[SITES + 1];
__thread int rtcuda_is_muted;

static const unsigned char is_region[SITES + 1] = {RTCUDA_REGIONS};
static struct {
    double own, whole;
    unsigned long timed, every;
} totals[SITES + 1];
/* `weight`: entries that the one which is measured stands for; `every`: those between it and the one before. */
static struct {
    int at;
    double start, inside, weight;
    unsigned long every;
} running[DEEPEST + 1];
static int depth;
static double begin, cost;
static unsigned drawn = 1;
static pid_t process;
static __thread int is_first;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

int rtcuda_start(int at) {
    if (!is_first || depth == DEEPEST) return 0;
    const double around = depth ? running[depth].weight : 1;
    ++depth;
    running[depth].at = at;
    running[depth].inside = 0;
    /* Inside of what is measured at some entries alone, all is measured. */
    running[depth].every = around == 1 && totals[at].every ? totals[at].every : 1;
    running[depth].weight = around * (double)running[depth].every;
    /* Loops in functions that a region calls are a part of it. */
    rtcuda_is_muted = is_region[at];
    running[depth].start = now();
    return depth;
}

void rtcuda_stop(int until) {
    const double end = now();
    /* Loops that a jump has left have no end of their own. */
    for (; is_first && depth >= until; depth--) {
        const int at = running[depth].at;
        const unsigned long every = running[depth].every;
        const double measured = end - running[depth].start - cost, time = measured > 0 ? measured : 0;
        totals[at].own += running[depth].weight * (time - running[depth].inside);
        totals[at].whole += running[depth].weight * time;
        running[depth - 1].inside += (double)every * time + 2 * cost;
        if (++totals[at].timed == TRIED) totals[at].every = totals[at].whole < SHORT_NS * (double)TRIED ? EVERY : 1;
        /* Not at equal steps, which the steps of a loop around could be in tune with. */
        drawn = drawn * 1664525u + 1013904223u;
        rtcuda_sites[at].next = rtcuda_sites[at].entered + (every > 1 ? every / 2 + (drawn >> 16) % every : 1);
    }
}

__attribute__((constructor)) static void rtcuda_begin(void) {
    is_first = 1;
    process = getpid();
    const double start = now();
    for (int k = 0; k < TRIED; k++) now();
    begin = now();
    cost = (begin - start) / (TRIED + 1);
}

__attribute__((destructor)) static void rtcuda_end(void) {
    const char *path = getenv("RTCUDA_CLOCKS");
    if (getpid() != process || !path) return;
    /* Also of a program that a thread ends which has no clocks: loops that are still running, until now. */
    is_first = 1;
    rtcuda_stop(1);
    const double end = now();
    FILE *file = fopen(path, "w");
    if (!file) return;
    fprintf(file, "{\"seconds\":%.9g,\"loops\":[", 1e-9 * (end - begin));
    for (int at = 0; at < SITES; at++)
        fprintf(file, "%s{\"entered\":%lu,\"own_s\":%.9g,\"whole_s\":%.9g}", at ? "," : "", rtcuda_sites[at].entered,
                1e-9 * (totals[at].own > 0 ? totals[at].own : 0), 1e-9 * totals[at].whole);
    fprintf(file, "]}\n");
    fclose(file);
}

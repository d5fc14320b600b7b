/* Time that each loop takes by itself, without the loops that have a clock of their own and run inside it, here or in functions
 * that it calls. The thread that starts the program has clocks, others have none. A loop that is over within a microsecond is
 * timed at every 64th entry, so that its clock costs less than it measures. */
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

static const unsigned char is_region[SITES + 1] = {RTCUDA_REGIONS};
static struct {
    double own, whole;
    unsigned long timed, every;
} totals[SITES + 1];
static struct {
    int at;
    double start, inside;
    unsigned long every;
} running[DEEPEST + 1];
static int depth, is_in_region;
/* Loops that a region has entered; they ask no more until it is over. */
static int skipped[SITES + 1], n_skipped;
static double begin, cost;
static pid_t process;
static __thread int is_first;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

int rtcuda_start(int at) {
    if (!is_first || depth == DEEPEST) return 0;
    /* What a region runs is a part of it, also where it is a function of its own. */
    if (is_in_region) {
        rtcuda_sites[at].next = -1UL;
        skipped[n_skipped++] = at;
        return 0;
    }
    is_in_region = is_region[at];
    running[++depth].at = at;
    running[depth].inside = 0;
    running[depth].every = totals[at].every ? totals[at].every : 1;
    running[depth].start = now();
    return depth;
}

void rtcuda_stop(int until) {
    const double end = now();
    /* Loops that a jump has left have no end of their own. */
    for (; is_first && depth >= until; depth--) {
        const int at = running[depth].at;
        const double time = end - running[depth].start, every = (double)running[depth].every;
        totals[at].own += every * (time - running[depth].inside - cost);
        totals[at].whole += every * time;
        running[depth - 1].inside += every * (time + cost);
        if (++totals[at].timed == TRIED) totals[at].every = totals[at].whole < SHORT_NS * (double)TRIED ? EVERY : 1;
        rtcuda_sites[at].next = rtcuda_sites[at].entered + running[depth].every;
        while (is_in_region && n_skipped) rtcuda_sites[skipped[--n_skipped]].next = 0;
        is_in_region = 0;
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

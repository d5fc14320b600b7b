// What regions and closed pages take, timed from inside, as a table.
//   costs calls    calls that are left to the host, beside the same loop in plain C
//   costs faults   touches of what is kept on the device
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LITTLE = 16, MANY = 1000, TIMES = 201, PAGE = 4096 };

extern int rt_must_ask __attribute__((weak)); // of the runtime: calls are asked

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(int n, double *all)
{
    qsort(all, n, sizeof *all, by_value);
    return all[n / 2];
}

__attribute__((noinline)) static void region(long n, double *a, double by)
{
    for (long i = 0; i < n; i++) a[i] = a[i] * by + 1;
}

__attribute__((noinline)) static void plain(long n, double *a, double by)
{
#pragma rt host
    for (long i = 0; i < n; i++) a[i] = a[i] * by + 1;
}

__attribute__((noinline)) static void fill(long n, double *a, double value)
{
    for (long i = 0; i < n; i++) a[i] = value + i;
}

__attribute__((noinline)) static void much(long n, double *a)
{
    for (long i = 0; i < n; i++) {
        double x = a[i];
        for (int k = 0; k < 2000; k++) x = x * 0.999 + 0.5;
        a[i] = x;
    }
}

// What is called through these is a region's call each time.
static void (*volatile call)(long, double *, double);
static void (*volatile call_fill)(long, double *, double) = fill;
static void (*volatile call_much)(long, double *) = much;

// Median ns of a call, of many batches; asked: each of them.
static double ns_of_call(void (*what)(long, double *, double), int is_asked)
{
    static double some[LITTLE], all[TIMES];
    const int must_ask = is_asked ? rt_must_ask : 0;
    call = what;
    for (int t = 0; t < TIMES; t++) {
        const double begin = seconds();
        for (int k = 0; k < MANY; k++) {
            if (is_asked) rt_must_ask = 1;
            call(LITTLE, some, 0.5);
        }
        all[t] = (seconds() - begin) * 1e9 / MANY;
    }
    if (is_asked) rt_must_ask = must_ask;
    return median(TIMES, all);
}

static void calls(void)
{
    const int may_ask = &rt_must_ask != NULL;
    printf("a loop of %d iterations in plain C     %8.1f ns\n", LITTLE, ns_of_call(plain, 0));
    printf("a region's call, not asked             %8.1f ns\n", ns_of_call(region, 0));
    if (may_ask) printf("a region's call, asked                 %8.1f ns\n", ns_of_call(region, 1));
    const long n = 1 << 20;
    double *const kept = malloc(n * sizeof *kept);
    if (!kept) exit(5);
    call_fill(n, kept, 1);
    for (int t = 0; t < 3; t++) call_much(n, kept);
    if (may_ask) printf("the same, while arrays are on a device %8.1f ns\n", ns_of_call(region, 1));
    printf("not asked any more                     %8.1f ns\n", ns_of_call(region, 0));
    free(kept);
}

static volatile double seen;

// Microseconds of one touch each, a megabyte apart.
static void touches(void)
{
    const long n = 64 << 17, step = 1 << 17;
    double reads[64], writes[64], *const a = malloc(n * sizeof *a);
    if (!a) exit(5);
    for (int t = 0; t < 3; t++) call_fill(n, a, t);
    for (int k = 0; k < 64; k++) {
        const double begin = seconds();
        seen += a[k * step + 300];
        const double then = seconds();
        a[k * step + 300] = 1;
        reads[k] = (then - begin) * 1e6, writes[k] = (seconds() - then) * 1e6;
    }
    printf("a read that brings 64 KB home          %8.1f us\n", median(64, reads));
    printf("the first write to a page that is home %8.1f us\n", median(64, writes));
    free(a);
}

// An array read in order, a page at a time; behind two regions, since what is wanted behind each is brought without a touch.
static void home(long bytes)
{
    const long n = bytes / (long)sizeof(double);
    double all[5], *const a = malloc(bytes);
    if (!a) exit(5);
    for (int t = 0; t < 5; t++) {
        for (int k = 0; k < 3; k++) call_fill(n, a, k + t);
        const double begin = seconds();
        for (long i = 0; i < n; i += PAGE / sizeof(double)) seen += a[i];
        all[t] = seconds() - begin;
    }
    const double took = median(5, all);
    printf("%8.2f MB read in order               %10.1f us %8.2f GB/s\n", bytes / 1048576.0, took * 1e6, bytes / took * 1e-9);
    free(a);
}

int main(int argc, char **argv)
{
    signal(SIGUSR1, SIG_IGN); // from here on no statement of the program's is known to be the next
    if (argc > 1 && strcmp(argv[1], "calls") == 0) {
        calls();
        return 0;
    }
    touches();
    home(1 << 16), home(1 << 20), home(64 << 20);
    return 0;
}

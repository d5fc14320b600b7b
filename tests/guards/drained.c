// Arrays that a device has, and memory between them that it has not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELLS = 100000, ROUNDS = 20 };

char *between;

static void scale(long n, unsigned long *a, unsigned long by)
{
    for (long i = 0; i < n; i++) a[i] = a[i] * by + i;
}

// With a second thread, nothing is announced: pages are closed.
static void *wait_for_good(void *of)
{
    for (;;) pause();
    return of;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_good, NULL)) return 5;
    unsigned long *first = calloc(CELLS, sizeof *first), sum = 0;
    between = calloc(CELLS, sizeof *first);
    unsigned long *last = calloc(CELLS, sizeof *last);
    if (!first || !between || !last) return 5;
    if ((first < last) != ((char *)first < between)) return 6;
    for (int k = 0; k < ROUNDS; k++) {
        if (getppid() < 0) return 7; // keeps the loop on the host
        scale(CELLS, first, 3);
        scale(CELLS, last, 5);
        first[k * 1000] += last[k * 2000];
    }
    for (long i = 0; i < CELLS; i++) sum = sum * 31 + first[i] + last[i];
    printf("%lu\n", sum);
    return 0;
}

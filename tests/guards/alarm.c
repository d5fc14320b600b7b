// Handlers of a timer read what a device has, while their thread allocates: which locks they find taken is chance.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { CELLS = 100000, ROUNDS = 300, BLOCKS = 40 };

static unsigned long *quiet; // always i at i
static volatile sig_atomic_t n_unquiet;

static void scale(long n, unsigned long *a, unsigned long by)
{
    for (long i = 0; i < n; i++) a[i] = a[i] * by + i;
}

static void on_timer(int number)
{
    (void)number;
    for (long i = 0; i < CELLS; i += CELLS / 3) n_unquiet += quiet[i] != (unsigned long)i;
}

// With a second thread, allocations are locked.
static void *wait_for_good(void *of)
{
    for (;;) pause();
    return of;
}

int main(void)
{
    const struct itimerval often = {{0, 200}, {0, 200}};
    struct sigaction wanted = {0};
    pthread_t thread;
    quiet = malloc(CELLS * sizeof *quiet);
    wanted.sa_handler = on_timer;
    wanted.sa_flags = SA_RESTART;
    if (!quiet || pthread_create(&thread, NULL, wait_for_good, NULL) || sigaction(SIGALRM, &wanted, NULL)) return 5;
    for (long i = 0; i < CELLS; i++) quiet[i] = i;
    if (setitimer(ITIMER_REAL, &often, NULL)) return 5;
    for (int k = 0; k < ROUNDS; k++) {
        void *blocks[BLOCKS];
        scale(CELLS, quiet, 0);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < BLOCKS; i++) blocks[i] = malloc(5000 + 16 * i);
            for (int i = 0; i < BLOCKS; i++) free(blocks[i]);
        }
    }
    printf("%d\n", (int)n_unquiet);
    return 0;
}

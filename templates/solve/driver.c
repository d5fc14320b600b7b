/* Runs a solver on the system that a file holds, for one right-hand side after the other, and writes what comes of it: `rtcuda
 * solve`. The history of the residuals is memory that is a file, too, behind the number of the right-hand side: who runs this
 * reads there how far it is.
 *
 * The lines before this one name the solver: SOLVER, and what it takes beside the arguments that all of them take; PREPARE and
 * FREE, where it has a function for what it makes of the matrix, which is done once, and one that forgets it; ON_HOST, where
 * it runs as the C that it is. A call of no iterations costs what is not an iteration (memory, copies, preparation); the time
 * of an iteration is that of the others. Numbers are as this machine stores them: both sides of the files run on it.
 *
 * A recurrence drifts away from the residual that it stands for. Where the solver has ended by it and b - A x, computed from x, is
 * larger than asked for, the solver starts anew from that x.
 *
 * Who runs this asks it to stop by SIGTERM. Ctrl-C is for who runs this, and ignored here. On a device a solver whose loops are
 * interruptible, as INTERRUPTIBLE says, ends at the next step and returns what it has; and a thread looks several times a second
 * which residuals the device has by then.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

/* As in the solver. */
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

#ifdef PREPARE
void *PREPARE(int n, const int *start, const int *column, const real *value);
void FREE(void *prepared);
#define PREPARED_PARAMETER const void *prepared,
#define PREPARED prepared,
#else
#define PREPARED_PARAMETER
#define PREPARED
#endif

int SOLVER(PREPARED_PARAMETER int n, const int *start, const int *column, const real *value, const real *b, real *x,
           EXTRA_PARAMETERS double tolerance, int most, double *history, int *broken);

#ifdef INTERRUPTIBLE
void rt_interrupt(void);
int rt_tell(void *to, const void *of, unsigned long bytes);
#endif

struct header {
    int64_t n, n_entries, most, n_warm, restart, n_rhs;
    double tolerance, omega, repeat_seconds;
};

struct answer {
    int64_t steps, broken, interrupted, repeats, restarts;
    double seconds, idle_seconds, setup_seconds, repeat_begin, repeat_end;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* New memory, filled from the file; an empty array has an address, too. */
static void *array(FILE *file, size_t count, size_t size) {
    void *memory = malloc(count * size + 1);
    if (!memory || fread(memory, size, count, file) != count) {
        fprintf(stderr, "the system cannot be loaded: %zu elements of %zu bytes\n", count, size);
        exit(2);
    }
    return memory;
}

/* Writes to a file; by the system's call alone, which a handler of signals may make. */
static int put(int file, const void *memory, size_t size) {
    const char *next = memory;
    while (size > 0) {
        ssize_t written = write(file, next, size);
        if (written <= 0)
            return 0;
        next += written;
        size -= written;
    }
    return 1;
}

/* Zeros that the file of this name has; its space is there before anything is written. */
static double *shared(const char *name, size_t count) {
    int file = open(name, O_RDWR | O_CREAT, 0600);
    size_t size = count * sizeof(double);
    if (file < 0 || posix_fallocate(file, 0, size))
        return NULL;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* The system, and what only some solvers take. */
static int n, *start, *column, restart;
static real *value, *inverse;
static double omega;
#ifdef PREPARE
static void *prepared;
#endif

/* The answer as far as it is known. `out` is its file; the run that counts has gone on from `begin`, to `end` at the latest. */
static struct answer answer;
static real *x;
static double *history, begin, end;
static int most, out, broken;

/* Who runs this reads there the right-hand side that is solved for, and the residuals so far. */
static double *known;

static int put_answer(void) {
    return put(out, &answer, sizeof answer) && put(out, x, n * sizeof *x) &&
           put(out, history, ((answer.steps < 0 ? 0 : answer.steps) + 1) * sizeof *history);
}

/* is_first: the iterations run, for the first time; is_over: no others begin. */
static volatile sig_atomic_t is_first, is_over;

/* On the CPU the iterate of this moment is the answer, with the residuals so far. */
static void stop(int number) {
    (void)number;
    is_over = 1;
#ifdef ON_HOST
    if (is_first) {
        answer.steps = 0;
        while (answer.steps < most && history[answer.steps + 1] != 0.0)
            answer.steps++;
        answer.interrupted = 1;
        answer.seconds = now() - begin;
        _exit(!put_answer());
    }
#endif
#ifdef INTERRUPTIBLE
    rt_interrupt();
#endif
}

#ifdef INTERRUPTIBLE
/* Nanoseconds between two looks at the residuals, and how many are fetched at once. */
#define LOOK 200000000
#define MANY 8192

/* Residuals are not zero, but for a last one. */
static void *look(void *nothing) {
    double which = -1.0;
    int at = 0;
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = LOOK}, NULL);
        at = which == known[0] ? at : 0;
        which = known[0];
        for (int end = at; is_first && at == end && at <= most;) {
            end = most + 1 - at < MANY ? most + 1 : at + MANY;
            if (!rt_tell(known + 1 + at, history + at, (end - at) * sizeof *history))
                break;
            while (at < end && known[1 + at] != 0.0)
                at++;
        }
    }
    return nothing;
}
#endif

/* Lets SIGTERM stop it, and lets it not outlive who waits for it. */
static void listen_to_signals(void) {
    struct sigaction on_stop = {.sa_handler = stop, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &on_stop, NULL);
    signal(SIGINT, SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

/* The 2-norm of b - A x, or of b where there is no x. */
static double norm_of_residual(const real *b, const real *x) {
    double rr = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; x && k < start[i + 1]; k++)
            sum += (double)value[k] * x[column[k]];
        rr += (b[i] - sum) * (b[i] - sum);
    }
    return sqrt(rr);
}

/* Starts anew from the true residual, at most, and the share of it that each may leave for another one to follow. Each asks for
 * less than the user does, because the residual drifts again. */
#define MOST_RESTARTS 4
#define PROGRESS 0.9
#define STRICTER 0.5

/* One run of the solver, from x = 0, of `allowed` iterations at most, for a residual of `tolerance` times b; returns its
 * iterations, or -1 without memory. It starts anew `restarts` times; where that is negative, as often as it is of use, which
 * answer.restarts then says. *seconds is the time in the solver. */
static int solve(const real *b, double tolerance, int allowed, int64_t restarts, double *seconds) {
    double enough = allowed > 0 && restarts < 0 ? tolerance * norm_of_residual(b, NULL) : 0.0;
    double before = INFINITY, claimed = 0.0;
    int done = 0, done_before = 0;
    real *kept = NULL;
    *seconds = 0.0;
    for (int64_t run = 0;; run++) {
        double from = now();
        int steps = SOLVER(PREPARED n, start, column, value, b, x, EXTRA_ARGUMENTS tolerance * (run > 0 ? STRICTER : 1.0),
                           allowed - done, history + done, &broken);
        end = now();
        *seconds += end - from;
        if (run == 0 && (steps < 0 || broken < 0 || allowed == 0))
            return steps;
        done += steps < 0 ? 0 : steps;
        if (restarts >= 0 && run == restarts)
            break;
        if (restarts < 0) {
            double left = norm_of_residual(b, x);
            if (run > 0 && !(left < before)) {
                memcpy(x, kept, n * sizeof *x);
                memset(history + done_before + 1, 0, (done - done_before) * sizeof *history);
                done = done_before;
                history[done] = claimed;
                break;
            }
            answer.restarts = run;
            kept = kept ? kept : malloc(n * sizeof *kept + 1);
            /* What has not ended by its recurrence would not end by another one. */
            int has_ended = steps >= 0 && history[done] <= (1.0 + 1e-6) * enough;
            int is_of_use = left > enough && left <= PROGRESS * before && done < allowed;
            if (!has_ended || !is_of_use || run == MOST_RESTARTS || is_over || !kept)
                break;
            memcpy(kept, x, n * sizeof *x);
            before = left;
            done_before = done;
            claimed = history[done];
        }
#ifdef INTERRUPTIBLE
        memcpy(known + 1, history, (done + 1) * sizeof *known);
#endif
    }
    free(kept);
    return done;
}

/* Runs of a solver, at most. */
#define N_RUNS 3

int main(int argc, char **argv) {
    listen_to_signals();
    FILE *in = argc == 4 ? fopen(argv[1], "rb") : NULL;
    out = argc == 4 ? open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    struct header h;
    if (!in || out < 0 || fread(&h, sizeof h, 1, in) != 1)
        return 2;
    restart = (int)h.restart;
    omega = h.omega;
    n = (int)h.n;
    most = (int)h.most;
    start = array(in, (size_t)n + 1, sizeof *start);
    column = array(in, h.n_entries, sizeof *column);
    value = array(in, h.n_entries, sizeof *value);
    inverse = array(in, n, sizeof *inverse);
    real *b = array(in, (size_t)n * h.n_rhs, sizeof *b);
    x = malloc(n * sizeof *x + 1);
    known = shared(argv[3], (size_t)most + 2);
#ifdef INTERRUPTIBLE
    history = calloc((size_t)most + 1, sizeof *history);
#else
    history = known ? known + 1 : NULL;
#endif
    if (!x || !known || !history) {
        fprintf(stderr, "there is no memory for the solution, or no space for %d residuals in %s\n", most, argv[3]);
        return 2;
    }
#ifdef INTERRUPTIBLE
    pthread_t looking;
    int looks = pthread_create(&looking, NULL, look, NULL) == 0;
    (void)looks;
#endif
#ifdef PREPARE
    double start_of_setup = now();
    prepared = PREPARE(n, start, column, value);
    answer.setup_seconds = now() - start_of_setup;
    if (!prepared)
        h.n_warm = 0;
#endif
    /* Runs that are over soon are made again: the quickest of some runs counts, of those without an iteration, too. For further
     * right-hand sides there is one run each. */
    double limit_of_all = now() + 1.0;
    int is_written = 1;
    for (int64_t which = 0; which < h.n_rhs; which++) {
        if (which > 0 && (is_over || !is_written || answer.steps < 0 || broken < 0))
            break;
        int64_t n_warm = which == 0 ? h.n_warm : 0, n_runs = which == 0 ? N_RUNS : 1;
        memset(history, 0, (which == 0 ? 0 : answer.steps + 1) * sizeof *history);
#ifdef INTERRUPTIBLE
        memset(known + 1, 0, (which == 0 ? 0 : answer.steps + 1) * sizeof *known);
#endif
        known[0] = which;
        for (int64_t run = 0; run <= n_warm || (run < n_warm + n_runs && now() < limit_of_all && !is_over); run++) {
            int is_warm = run < n_warm;
            memset(x, 0, n * sizeof *x);
            begin = now();
            is_first = run == n_warm;
            /* A signal that came before ends it here, and one that comes later in the handler. */
            answer.interrupted |= is_first && is_over;
            double seconds;
            answer.restarts = is_first ? 0 : answer.restarts;
            answer.steps = solve(b + which * n, h.tolerance, is_warm || answer.interrupted ? 0 : most,
                                 is_first ? -1 : answer.restarts, &seconds);
#ifdef INTERRUPTIBLE
            answer.interrupted |= is_first && is_over;
#endif
            is_first = 0;
#ifdef INTERRUPTIBLE
            if (run == n_warm && answer.steps >= 0)
                memcpy(known + 1, history, (answer.steps + 1) * sizeof *known);
#endif
            double *best = is_warm ? &answer.idle_seconds : &answer.seconds;
            /* The first of all makes the context of a device. */
            *best = run == 0 || run == 1 || run == n_warm || seconds < *best ? seconds : *best;
        }
        answer.broken = broken;
        /* The last of the runs counts, where it was long enough. */
        answer.repeat_begin = begin;
        answer.repeats = h.repeat_seconds > 0.0 && answer.steps >= 0 && broken >= 0 && !answer.interrupted;
        if (answer.repeats && end - begin < h.repeat_seconds) {
            answer.repeat_begin = now();
            for (answer.repeats = 0; now() - answer.repeat_begin < h.repeat_seconds && !is_over; answer.repeats++) {
                memset(x, 0, n * sizeof *x);
                double seconds;
                solve(b + which * n, h.tolerance, most, answer.restarts, &seconds);
            }
        }
        answer.repeat_end = end;
        is_written = put_answer();
    }
    if (!is_written)
        fprintf(stderr, "the answer cannot be written\n");
#ifdef PREPARE
    FREE(prepared);
#endif
    free(start);
    free(column);
    free(value);
    free(b);
    free(inverse);
    free(x);
    return is_written ? 0 : 2;
}

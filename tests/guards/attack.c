// Draws what a host does with arrays between regions, and prints a sum behind each sequence: the same wherever the loops run.
//   attack FIRST_SEED SEQUENCES
#define _GNU_SOURCE // mremap
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARRAYS = 5, STATIC_CELLS = 30001, LEAST = 4500, MOST = 40000 };

static int64_t table[STATIC_CELLS], other_table[STATIC_CELLS];
static int64_t *arrays[ARRAYS];
static long lengths[ARRAYS];
static uint64_t state;
static FILE *file;

// Loops that run on a device, each a region of its own.

static void scale(long n, int64_t *a, int64_t by)
{
    for (long i = 0; i < n; i++) a[i] = a[i] * by + i;
}

static void add(long n, int64_t *a, const int64_t *b)
{
    for (long i = 0; i < n; i++) a[i] += b[i];
}

static void fill(long n, int64_t *a, int64_t value)
{
    for (long i = 0; i < n; i++) a[i] = value ^ i;
}

static void shift(long n, int64_t *a, const int64_t *b)
{
    for (long i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1];
}

static int64_t sum(long n, const int64_t *a)
{
    int64_t s = 0;
    for (long i = 0; i < n; i++) s += a[i] * (i % 5 + 1);
    return s;
}

static void flip(long n, unsigned char *bytes)
{
    for (long i = 0; i < n; i++) bytes[i] ^= (unsigned char)(i & 0x55);
}

static void scale_table(int64_t by)
{
    for (int i = 0; i < STATIC_CELLS; i++) table[i] = table[i] * by + other_table[i];
}

// Actions of the host.

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

static void fail(const char *what)
{
    perror(what);
    exit(5);
}

static void begin(int k)
{
    lengths[k] = LEAST + (long)draw(MOST);
    arrays[k] = draw(2) ? malloc(lengths[k] * sizeof(int64_t)) : calloc(lengths[k], sizeof(int64_t));
    if (!arrays[k]) fail("malloc");
    if (draw(2)) fill(lengths[k], arrays[k], (int64_t)draw(1000));
    else memset(arrays[k], (int)draw(256), lengths[k] * sizeof(int64_t));
}

static void resize(int k)
{
    const long before = lengths[k];
    lengths[k] = LEAST + (long)draw(MOST);
    arrays[k] = realloc(arrays[k], lengths[k] * sizeof(int64_t));
    if (!arrays[k]) fail("realloc");
    for (long i = before; i < lengths[k]; i++) arrays[k][i] = i;
}

static void replace(int k)
{
    free(arrays[k]);
    begin(k);
}

static int64_t read_some(int k)
{
    int64_t s = 0;
    const long step = 1 + (long)draw(3) * 600;
    for (long i = (long)draw(lengths[k]); i < lengths[k]; i += step) s += arrays[k][i];
    return s + arrays[k][0] + arrays[k][lengths[k] - 1];
}

static void write_some(int k)
{
    const long step = 1 + (long)draw(3) * 700;
    for (long i = (long)draw(lengths[k]); i < lengths[k]; i += step) arrays[k][i] += step;
    arrays[k][draw(lengths[k])] = 7;
    arrays[k][draw(2) ? 0 : lengths[k] - 1] = 11;
}

static void copy_some(int to, int from)
{
    const long n = lengths[to] < lengths[from] ? lengths[to] : lengths[from], first = (long)draw(n);
    memmove(arrays[to] + first, arrays[from] + first, (n - first) * sizeof(int64_t));
}

// A child has everything, and no device.
static int64_t ask_child(int k)
{
    int ends[2], status;
    int64_t answer;
    if (pipe(ends)) fail("pipe");
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        answer = read_some(k) + sum(lengths[k], arrays[k]);
        write_some(k);
        _exit(write(ends[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
    }
    if (read(ends[0], &answer, sizeof answer) != sizeof answer || waitpid(child, &status, 0) != child || status) fail("child");
    close(ends[0]), close(ends[1]);
    return answer;
}

// Out to a file by the system, and into another array.
static void through_file(int to, int from)
{
    const long n = (lengths[to] < lengths[from] ? lengths[to] : lengths[from]) * (long)sizeof(int64_t);
    const int raw = fileno(file);
    if (fflush(file) || ftruncate(raw, 0) || lseek(raw, 0, SEEK_SET) != 0) fail("file");
    switch (draw(3)) {
    case 0:
        if (write(raw, arrays[from], n) != n || lseek(raw, 0, SEEK_SET) != 0 || read(raw, arrays[to], n) != n) fail("write, read");
        break;
    case 1:
        rewind(file);
        if (fwrite(arrays[from], 1, n, file) != (size_t)n) fail("fwrite");
        rewind(file);
        if (fread(arrays[to], 1, n, file) != (size_t)n) fail("fread");
        break;
    default: {
        struct iovec parts[2] = {{arrays[from], 4096}, {(char *)arrays[from] + 4096, n - 4096}};
        if (writev(raw, parts, 2) != n || pread(raw, arrays[to], n, 0) != n) fail("writev, pread");
    }
    }
}

struct half {
    int k, upper;
    int64_t sum;
};

static void *work_on_half(void *of)
{
    struct half *const h = of;
    const long middle = lengths[h->k] / 2, first = h->upper ? middle : 0, last = h->upper ? lengths[h->k] : middle;
#pragma rt host
    for (long i = first; i < last; i++) {
        h->sum += arrays[h->k][i];
        if (i % 1000 == 0) arrays[h->k][i] = i;
    }
    return NULL;
}

static int64_t in_threads(int k)
{
    pthread_t thread;
    struct half lower = {k, 0, 0}, upper = {k, 1, 0};
    if (pthread_create(&thread, NULL, work_on_half, &upper)) fail("pthread_create");
    work_on_half(&lower);
    if (pthread_join(thread, NULL)) fail("pthread_join");
    return lower.sum * 3 + upper.sum;
}

static volatile int signalled;

static void on_signal(int number)
{
    (void)number;
    arrays[signalled][lengths[signalled] / 3] += 5;
}

static char *own_page;
static volatile int n_own_faults;

static void on_own_fault(int number, siginfo_t *facts, void *context)
{
    (void)number, (void)context;
    if ((char *)facts->si_addr < own_page || (char *)facts->si_addr >= own_page + 4096) _exit(9);
    n_own_faults++;
    mprotect(own_page, 4096, PROT_READ | PROT_WRITE);
}

// The program's own faults are the program's.
static int64_t fault(void)
{
    struct sigaction own = {0};
    own.sa_sigaction = on_own_fault;
    own.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSEGV, &own, NULL) || mprotect(own_page, 4096, PROT_NONE)) fail("mprotect");
    own_page[17]++;
    return n_own_faults + own_page[17];
}

// Memory that the program has mapped itself: it grows elsewhere, is given back, and protected for a while.
static int64_t *mapped;
static long mapped_cells;

static void map_some(void)
{
    mapped_cells = LEAST * 8 + (long)draw(MOST);
    mapped = mmap(NULL, mapped_cells * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) fail("mmap");
}

static int64_t use_mapping(void)
{
    const size_t bytes = mapped_cells * sizeof(int64_t);
    switch (draw(7)) {
    case 0: scale(mapped_cells, mapped, 3); return 0;
    case 1: fill(mapped_cells, mapped, 9); return 0;
    case 2: mapped[draw(mapped_cells)]++; return mapped[draw(mapped_cells)];
    case 3:
        if (mapped_cells > 2 * MOST) return 0;
        mapped = mremap(mapped, bytes, 2 * bytes, MREMAP_MAYMOVE);
        if (mapped == MAP_FAILED) fail("mremap");
        mapped_cells *= 2;
        return mapped[draw(mapped_cells)];
    case 4:
        if (munmap(mapped, bytes)) fail("munmap");
        map_some();
        return mapped[draw(mapped_cells)];
    case 5: { // the head of it
        const size_t cut = 4096 * (1 + draw(3));
        if (mapped_cells < 8 * LEAST) return 0;
        if (munmap(mapped, cut)) fail("munmap");
        mapped += cut / sizeof(int64_t), mapped_cells -= (long)(cut / sizeof(int64_t));
        return mapped[draw(mapped_cells)];
    }
    default:
        if (mprotect(mapped, bytes, PROT_READ)) fail("mprotect");
        const int64_t s = sum(mapped_cells, mapped) + mapped[draw(mapped_cells)];
        if (mprotect(mapped, bytes, PROT_READ | PROT_WRITE)) fail("mprotect");
        return s;
    }
}

static int64_t step(void)
{
    const int k = (int)draw(ARRAYS), l = (int)((k + 1 + draw(ARRAYS - 1)) % ARRAYS);
    const long n = lengths[k] < lengths[l] ? lengths[k] : lengths[l], first = (long)draw(n / 2);
    switch (draw(26)) {
    case 0: scale(lengths[k], arrays[k], 3); return 0;
    case 1: scale(n - first, arrays[k] + first, 5); return 0;
    case 2: add(n, arrays[k], arrays[l]); return 0;
    case 3: add(n - first, arrays[k] + first, arrays[l]); return 0;
    case 4: fill(lengths[k], arrays[k], first); return 0;
    case 5: shift(n, arrays[k], arrays[l]); return 0;
    case 6: return sum(lengths[k], arrays[k]);
    case 7: return sum(n - first, arrays[k] + first);
    case 8: flip(n * 8 - 3, (unsigned char *)arrays[k]); return 0;
    case 9: scale_table(3); return 0;
    case 10: table[draw(STATIC_CELLS)] = 4, other_table[draw(STATIC_CELLS)]++; return table[first % STATIC_CELLS];
    case 11: resize(k); return 0;
    case 12: replace(k); return 0;
    case 13: return read_some(k);
    case 14: write_some(k); return 0;
    case 15: copy_some(k, l); return 0;
    case 16: return draw(8) ? 0 : ask_child(k);
    case 17: through_file(k, l); return 0;
    case 18: return in_threads(k);
    case 19: signalled = k; raise(SIGUSR1); return 0;
    case 20: return fault();
    case 21: case 22: return use_mapping();
    default: return arrays[k][draw(lengths[k])];
    }
}

int main(int argc, char **argv)
{
    const unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, n = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
    file = tmpfile();
    own_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!file || own_page == MAP_FAILED || signal(SIGUSR1, on_signal) == SIG_ERR) fail("start");
    for (unsigned long seed = first; seed < first + n; seed++) {
        state = seed;
        memset(own_page, 0, 4096), n_own_faults = 0;
        memset(table, 0, sizeof table), memset(other_table, 1, sizeof other_table);
        for (int k = 0; k < ARRAYS; k++) begin(k);
        map_some();
        int64_t all = 0;
        for (int k = 0; k < 60; k++) all = all * 31 + step();
        for (int k = 0; k < ARRAYS; k++) all = all * 31 + sum(lengths[k], arrays[k]) + read_some(k), free(arrays[k]);
        for (int i = 0; i < STATIC_CELLS; i++) all = all * 3 + table[i];
        all = all * 31 + sum(mapped_cells, mapped) + mapped[mapped_cells / 2];
        munmap(mapped, mapped_cells * sizeof(int64_t));
        printf("%lu %lx\n", seed, (unsigned long)all);
    }
    return 0;
}

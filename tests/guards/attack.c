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
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARRAYS = 5, STATIC_CELLS = 30001, LEAST = 4500, MOST = 40000, ROWS = 13, ROW_CELLS = 4700, QUIET_CELLS = 20000 };

typedef uint64_t cell; // whose sums may wrap

static cell table[STATIC_CELLS], other_table[STATIC_CELLS];
static cell *arrays[ARRAYS];
static long lengths[ARRAYS];
static cell *grid[ROWS]; // arrays of rows
static cell *quiet;      // always i at i: handlers of signals read it at any time
static uint64_t state;
static FILE *file;

#ifdef SANITIZED
// A sanitizer's own copies bypass `malloc`, and the runtime closes no page of blocks that it might not hear of.
char *strdup(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *const copy = malloc(n);
    return copy ? memcpy(copy, text, n) : NULL;
}
#endif

// Loops that run on a device, each a region of its own.

static void scale(long n, cell *a, cell by)
{
    for (long i = 0; i < n; i++) a[i] = a[i] * by + i;
}

static void add(long n, cell *a, const cell *b)
{
    for (long i = 0; i < n; i++) a[i] += b[i];
}

static void fill(long n, cell *a, cell value)
{
    for (long i = 0; i < n; i++) a[i] = value ^ i;
}

static void shift(long n, cell *a, const cell *b)
{
    for (long i = 1; i < n - 1; i++) a[i] = b[i - 1] + b[i + 1];
}

static cell sum(long n, const cell *a)
{
    cell s = 0;
    for (long i = 0; i < n; i++) s += a[i] * (i % 5 + 1);
    return s;
}

static void flip(long n, unsigned char *bytes)
{
    for (long i = 0; i < n; i++) bytes[i] ^= (unsigned char)(i & 0x55);
}

static void scale_table(cell by)
{
    for (int i = 0; i < STATIC_CELLS; i++) table[i] = table[i] * by + other_table[i];
}

static void scale_rows(int n, long m, cell **rows, cell by)
{
    for (int i = 0; i < n; i++)
        for (long j = 0; j < m; j++) rows[i][j] = rows[i][j] * by + j;
}

static cell sum_rows(int n, long m, cell **rows)
{
    cell s = 0;
    for (int i = 0; i < n; i++)
        for (long j = 0; j < m; j++) s += rows[i][j] * (j % 3 + 1);
    return s;
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
    const size_t bytes = lengths[k] * sizeof(cell);
    switch (draw(4)) {
    case 0: arrays[k] = malloc(bytes); break;
    case 1: arrays[k] = calloc(lengths[k], sizeof(cell)); break;
    case 2: arrays[k] = aligned_alloc(64, (bytes + 63) / 64 * 64); break;
    default:
        if (posix_memalign((void **)&arrays[k], 4096, bytes)) fail("posix_memalign");
    }
    if (!arrays[k]) fail("malloc");
    if (draw(2)) fill(lengths[k], arrays[k], (cell)draw(1000));
    else memset(arrays[k], (int)draw(256), lengths[k] * sizeof(cell));
}

static void resize(int k)
{
    const long before = lengths[k];
    lengths[k] = LEAST + (long)draw(MOST);
    arrays[k] = realloc(arrays[k], lengths[k] * sizeof(cell));
    if (!arrays[k]) fail("realloc");
    for (long i = before; i < lengths[k]; i++) arrays[k][i] = i;
}

static void replace(int k)
{
    free(arrays[k]);
    begin(k);
}

static cell read_some(int k)
{
    cell s = 0;
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
    memmove(arrays[to] + first, arrays[from] + first, (n - first) * sizeof(cell));
}

// A child has everything, and no device.
static cell ask_child(int k)
{
    int ends[2], status;
    cell answer;
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
    extern ssize_t __read_chk(int, void *, size_t, size_t); // `read` under _FORTIFY_SOURCE
    const long n = (lengths[to] < lengths[from] ? lengths[to] : lengths[from]) * (long)sizeof(cell);
    const long n_table = n < (long)sizeof table ? n : (long)sizeof table;
    const int raw = fileno(file);
    if (fflush(file) || ftruncate(raw, 0) || lseek(raw, 0, SEEK_SET) != 0) fail("file");
    struct iovec out[2] = {{arrays[from], 4096}, {(char *)arrays[from] + 4096, n - 4096}}, in = {arrays[to], n};
    switch (draw(6)) {
    case 0:
        if (write(raw, arrays[from], n) != n || lseek(raw, 0, SEEK_SET) != 0 || read(raw, arrays[to], n) != n) fail("write, read");
        break;
    case 1:
        rewind(file);
        if (fwrite(arrays[from], 1, n, file) != (size_t)n) fail("fwrite");
        rewind(file);
        if (fread(arrays[to], 1, n, file) != (size_t)n) fail("fread");
        break;
    case 2:
        if (writev(raw, out, 2) != n || pread(raw, arrays[to], n, 0) != n) fail("writev, pread");
        break;
    case 3:
        if (pwritev(raw, out, 2, 0) != n || preadv(raw, &in, 1, 0) != n) fail("pwritev, preadv");
        break;
    case 4:
        if (pwrite(raw, other_table, n_table, 0) != n_table || __read_chk(raw, table, n_table, sizeof table) != n_table) fail("pwrite, read");
        break;
    default:
        if (write(raw, arrays[from], n) != n) fail("write");
        char *const contents = mmap(NULL, n, PROT_READ, draw(2) ? MAP_PRIVATE : MAP_SHARED, raw, 0);
        if (contents == MAP_FAILED) fail("mmap");
        memcpy(arrays[to], contents, n);
        munmap(contents, n);
    }
}

struct sender {
    int to, from, n;
};

static void *send_all(void *of)
{
    const struct sender *const s = of;
    for (long at = 0, now; at < s->n; at += now) {
        struct iovec part = {(char *)arrays[s->from] + at, s->n - at};
        struct msghdr all = {.msg_iov = &part, .msg_iovlen = 1};
        now = at % 3 == 0 ? send(s->to, part.iov_base, part.iov_len, 0) : sendmsg(s->to, &all, 0);
        if (now <= 0) fail("send");
    }
    return NULL;
}

// By a thread into a socket, out of it into another array.
static void through_socket(int to, int from)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) fail("socketpair");
    struct sender all = {ends[0], from, (int)((lengths[to] < lengths[from] ? lengths[to] : lengths[from]) * sizeof(cell))};
    pthread_t thread;
    if (pthread_create(&thread, NULL, send_all, &all)) fail("pthread_create");
    for (long at = 0, now; at < all.n; at += now)
        if ((now = recv(ends[1], (char *)arrays[to] + at, all.n - at, 0)) <= 0) fail("recv");
    if (pthread_join(thread, NULL)) fail("pthread_join");
    close(ends[0]), close(ends[1]);
}

static const cell *keys;

static int by_key(const void *a, const void *b)
{
    const cell x = *(const cell *)a ^ keys[*(const cell *)a % LEAST], y = *(const cell *)b ^ keys[*(const cell *)b % LEAST];
    return (x > y) - (x < y);
}

// A callback of the C library's reads one array, and it moves the elements of another.
static cell sort_some(int k, int l)
{
    const long n = 300, first = (long)draw(lengths[k] - n);
    keys = arrays[l];
    qsort(arrays[k] + first, n, sizeof(cell), by_key);
    const cell *const found = bsearch(&arrays[k][first + n / 2], arrays[k] + first, n, sizeof(cell), by_key);
    return found ? *found : 1;
}

// Others' programs are begun: their parent waits without memory of its own.
static cell run_others(int k)
{
    int status = 0;
    const pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(3);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) fail("vfork");
    return (cell)status + arrays[k][lengths[k] / 2];
}

struct half {
    int k, upper;
    cell sum;
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

static cell in_threads(int k)
{
    pthread_t thread;
    struct half lower = {k, 0, 0}, upper = {k, 1, 0};
    if (pthread_create(&thread, NULL, work_on_half, &upper)) fail("pthread_create");
    work_on_half(&lower);
    if (pthread_join(thread, NULL)) fail("pthread_join");
    return lower.sum * 3 + upper.sum;
}

struct reader {
    int k;
    cell sum;
};

static void *read_all(void *of)
{
    struct reader *const r = of;
#pragma rt host
    for (long i = 0; i < lengths[r->k]; i += 3) r->sum = r->sum * 3 + arrays[r->k][i];
    return NULL;
}

// A thread reads one array while a region runs on another.
static cell beside_thread(int k, int l)
{
    pthread_t thread;
    struct reader all = {l, 0};
    if (pthread_create(&thread, NULL, read_all, &all)) fail("pthread_create");
    scale(lengths[k], arrays[k], 9);
    arrays[k][lengths[k] / 5]++;
    scale(lengths[k], arrays[k], 3);
    if (pthread_join(thread, NULL)) fail("pthread_join");
    return all.sum;
}

static volatile int signalled;

static void on_signal(int number)
{
    (void)number;
    arrays[signalled][lengths[signalled] / 3] += 5 + arrays[signalled][lengths[signalled] / 4];
}

static void handle(int number, void (*handler)(int), int waits_for_all)
{
    struct sigaction wanted = {0};
    wanted.sa_handler = handler;
    wanted.sa_flags = SA_RESTART;
    if (waits_for_all) sigfillset(&wanted.sa_mask);
    if (sigaction(number, &wanted, NULL)) fail("sigaction");
}

// A handler of a signal touches an array, and so does who lets no signal through.
static cell by_signal(int k)
{
    sigset_t all, before;
    signalled = k;
    handle(SIGUSR1, on_signal, draw(2));
    sigfillset(&all);
    scale(lengths[k], arrays[k], 3), scale(lengths[k], arrays[k], 5);
    switch (draw(3)) {
    case 0: raise(SIGUSR1); return 0;
    case 1:
        if (pthread_sigmask(SIG_BLOCK, &all, &before)) fail("pthread_sigmask");
        raise(SIGUSR1);
        sigdelset(&all, SIGUSR1);
        sigsuspend(&all);
        break;
    default:
        if (sigprocmask(SIG_SETMASK, &all, &before)) fail("sigprocmask");
    }
    const cell there = read_some(k);
    write_some(k);
    if (sigprocmask(SIG_SETMASK, &before, NULL)) fail("sigprocmask");
    return there;
}

static volatile sig_atomic_t n_unquiet;

static void on_timer(int number)
{
    (void)number;
    for (long i = 0; i < QUIET_CELLS; i += QUIET_CELLS / 3) n_unquiet += quiet[i] != (cell)i;
}

// A signal comes at any time, in the midst of regions too.
static cell set_timer(void)
{
    const struct itimerval once = {{0, 0}, {0, 50 + (long)draw(2000)}};
    scale(QUIET_CELLS, quiet, 0);
    if (setitimer(ITIMER_REAL, &once, NULL)) fail("setitimer");
    return n_unquiet != 0;
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
static cell fault(void)
{
    struct sigaction own = {0};
    own.sa_sigaction = on_own_fault;
    own.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSEGV, &own, NULL) || mprotect(own_page, 4096, PROT_NONE)) fail("mprotect");
    own_page[17]++;
    return n_own_faults + own_page[17];
}

// Memory that the program has mapped itself: it grows elsewhere, is given back, and protected for a while.
static cell *mapped;
static long mapped_cells;

static void map_some(void)
{
    mapped_cells = LEAST * 8 + (long)draw(MOST);
    const size_t bytes = mapped_cells * sizeof(cell);
    FILE *const of = draw(2) ? tmpfile() : NULL; // its contents, or zeros
    if (of && ftruncate(fileno(of), (off_t)(2 * bytes + 2 * MOST * sizeof(cell)))) fail("ftruncate");
    if (of && pwrite(fileno(of), other_table, sizeof other_table, 4096) != sizeof other_table) fail("pwrite");
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | (of ? 0 : MAP_ANONYMOUS), of ? fileno(of) : -1, 0);
    if (mapped == MAP_FAILED) fail("mmap");
    if (of) fclose(of);
}

static cell use_mapping(void)
{
    const size_t bytes = mapped_cells * sizeof(cell);
    switch (draw(8)) {
    case 0: scale(mapped_cells, mapped, 3); return 0;
    case 1: fill(mapped_cells, mapped, 9); return 0;
    case 2: mapped[draw(mapped_cells)]++; return mapped[draw(mapped_cells)];
    case 3:
        if (mapped_cells > 2 * MOST) return 0;
        scale(mapped_cells, mapped, 3), scale(mapped_cells, mapped, 5);
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
        mapped += cut / sizeof(cell), mapped_cells -= (long)(cut / sizeof(cell));
        return mapped[draw(mapped_cells)];
    }
    case 6: // zeros again, or what the file has
        scale(mapped_cells, mapped, 3), scale(mapped_cells, mapped, 5);
        if (madvise(mapped, bytes / 2 / 4096 * 4096, MADV_DONTNEED)) fail("madvise");
        return sum(mapped_cells, mapped);
    default:
        if (mprotect(mapped, bytes, PROT_READ)) fail("mprotect");
        const cell s = sum(mapped_cells, mapped) + mapped[draw(mapped_cells)];
        if (mprotect(mapped, bytes, PROT_READ | PROT_WRITE)) fail("mprotect");
        return s;
    }
}

// Fills a part, by the library, of what the device has as an array and a part of it as another.
static cell clear_some(int k)
{
    const size_t bytes = lengths[k] * sizeof(cell), from = draw(3) ? 0 : draw(bytes / 3), behind = draw(3) ? 0 : draw(bytes / 3);
    const long first = 1024;
    cell s = 0;
    for (int turn = 0; turn < 2; turn++) {
        scale(lengths[k], arrays[k], 3);
        s += sum(lengths[k] - first, arrays[k] + first);
        memset((char *)arrays[k] + from, (int)draw(256), bytes - from - behind);
        s += sum(lengths[k] - first, arrays[k] + first);
    }
    return s;
}

// Arrays behind pointers, which the host exchanges and replaces.
static cell use_rows(void)
{
    const int i = (int)draw(ROWS), other = (int)draw(ROWS), n = 2 + (int)draw(ROWS - 1);
    switch (draw(7)) {
    case 0: scale_rows(ROWS, ROW_CELLS, grid, 3); return 0;
    case 1: scale_rows(n, ROW_CELLS - (long)draw(2) * 700, grid, 5); return 0;
    case 2: return sum_rows(n, ROW_CELLS, grid);
    case 3: scale(ROW_CELLS, grid[i], 7); return 0;
    case 4: grid[i][draw(ROW_CELLS)]++; return grid[other][draw(ROW_CELLS)];
    case 5: {
        cell *const then = grid[i];
        grid[i] = grid[other], grid[other] = then;
        return grid[i][5];
    }
    default: {
        cell *const made = malloc(ROW_CELLS * sizeof(cell));
        if (!made) fail("malloc");
        memcpy(made, grid[i], ROW_CELLS * sizeof(cell));
        free(grid[i]);
        grid[i] = made;
        return 0;
    }
    }
}

static cell step(void)
{
    const int k = (int)draw(ARRAYS), l = (int)((k + 1 + draw(ARRAYS - 1)) % ARRAYS);
    const long n = lengths[k] < lengths[l] ? lengths[k] : lengths[l], first = (long)draw(n / 2);
    switch (draw(37)) {
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
    case 19: return by_signal(k);
    case 20: return fault();
    case 21: case 22: case 23: return use_mapping();
    case 24: case 25: case 26: return use_rows();
    case 27: through_socket(k, l); return 0;
    case 28: return sort_some(k, l);
    case 29: return draw(8) ? 0 : run_others(k);
    case 30: return beside_thread(k, l);
    case 31: return set_timer();
    case 32: case 33: case 34: return clear_some(k);
    default: return arrays[k][draw(lengths[k])];
    }
}

int main(int argc, char **argv)
{
    const unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, n = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
    file = tmpfile();
    own_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!file || own_page == MAP_FAILED || signal(SIGUSR1, on_signal) == SIG_ERR) fail("start");
    quiet = malloc(QUIET_CELLS * sizeof(cell));
    if (!quiet) fail("malloc");
    for (long i = 0; i < QUIET_CELLS; i++) quiet[i] = (cell)i;
    handle(SIGALRM, on_timer, 0);
    for (unsigned long seed = first; seed < first + n; seed++) {
        state = seed;
        memset(own_page, 0, 4096), n_own_faults = 0;
        memset(table, 0, sizeof table), memset(other_table, 1, sizeof other_table);
        for (int k = 0; k < ARRAYS; k++) begin(k);
        for (int i = 0; i < ROWS; i++) {
            grid[i] = malloc(ROW_CELLS * sizeof(cell));
            if (!grid[i]) fail("malloc");
            for (long j = 0; j < ROW_CELLS; j++) grid[i][j] = (cell)(i * j);
        }
        map_some();
        cell all = 0;
        for (int k = 0; k < 60; k++) all = all * 31 + step();
        for (int k = 0; k < ARRAYS; k++) all = all * 31 + sum(lengths[k], arrays[k]) + read_some(k), free(arrays[k]);
        for (int i = 0; i < ROWS; i++) all = all * 31 + grid[i][i], free(grid[i]);
        for (int i = 0; i < STATIC_CELLS; i++) all = all * 3 + table[i];
        all = all * 31 + sum(mapped_cells, mapped) + mapped[mapped_cells / 2];
        munmap(mapped, mapped_cells * sizeof(cell));
        printf("%lu %lx\n", seed, (unsigned long)all);
    }
    return 0;
}

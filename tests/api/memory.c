/* Each allocation fails once: every call then says so, what it was making is not there, and nothing is lost. Linked with
 * --wrap for malloc, calloc and realloc; the folder for files is the argument. */
#include "check.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static long n_left = -1; /* allocations until one fails; -1 for never */

static int fails(void)
{
    return n_left >= 0 && n_left-- == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return fails() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __real_realloc(old, bytes);
}

static char path[4096];
static RTsparse *a, *b, *c, *d, *e, *f, *g;
static RTdense *x, *y, *z, *w;

static int work(void)
{
    const long row[] = {1, 0}, col[] = {0, 1};
    const double value[] = {1, 2};
    int code;
    if ((code = RTspRandom(&a, RT_DOUBLE, RT_COO, 30, 30, 1, 1)) || (code = RTspEntries(&b, RT_DOUBLE, RT_CSC, 2, 2, 2, row, col, value)) ||
        (code = RTspSave(a, path)) || (code = RTspLoad(&c, RT_DOUBLE, RT_CSC, path)) || (code = RTspConvert(c, RT_COO)) ||
        (code = RTspAlloc(&d, RT_DOUBLE, 30, 30)) || (code = RTspDMM(a, c, d)) || (code = RTspMT(&e, d)) ||
        (code = RTspILU0(&f, d)) || (code = RTdFromSparse(&x, a)) || (code = RTspFromDense(&g, RT_CSR, x)) ||
        (code = RTdRandom(&y, RT_DOUBLE, 30, 1, 1)) || (code = RTdAlloc(&z, RT_DOUBLE, 30, 1)) || (code = RTdFill(z, 1)) ||
        (code = RTspdDMV(d, y, z)) || (code = RTspSolve(RT_LOWER, RT_PLAIN, g, y, z)) || (code = RTdSave(x, path)) ||
        (code = RTdLoad(&w, RT_DOUBLE, path)))
        return code;
    RTspFree(e);
    e = NULL;
    /* One that has an IC(0). */
    for (long i = 0; i < 30; i++) {
        if (!RTdDData(x)) return RT_ENOMEM;
        for (long j = 0; j < 30; j++) RTdDData(x)[i * 30 + j] = i == j ? 100 : 1;
    }
    RTspFree(b);
    b = NULL;
    return (code = RTspFromDense(&e, RT_CSC, x)) ? code : RTspIC0(&b, e);
}

static void free_all(void)
{
    RTspFree(a), RTspFree(b), RTspFree(c), RTspFree(d), RTspFree(e), RTspFree(f), RTspFree(g);
    RTdFree(x), RTdFree(y), RTdFree(z), RTdFree(w);
    a = b = c = d = e = f = g = NULL;
    x = y = z = w = NULL;
}

int main(int argc, char **argv)
{
    long n_failed = 0;
    CHECK(argc == 2);
    snprintf(path, sizeof path, "%s/memory.mtx", argv[1]);
    for (long at = 0;; at++) {
        n_left = at;
        const int code = work();
        const int has_failed = n_left < 0;
        n_left = -1;
        CHECK(code == RT_OK || (code == RT_ENOMEM && strstr(RTlastError(), "cannot be had") != NULL));
        n_failed += code == RT_ENOMEM;
        free_all();
        if (!has_failed) break;
    }
    remove(path);
    CHECK(n_failed > 60);
    return 0;
}

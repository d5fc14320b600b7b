/* Behind the last element that is touched lies memory that nobody may read: a last row need not be there in full. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* n rows of m, and r elements of another. */
static void partial_row(int n, int m, int r, double *a, double *sums) {
    for (int i = 0; i < n; i++) {
        sums[i] = 0;
        for (int j = 0; j < m; j++) sums[i] += a[i * m + j];
    }
    for (int j = 0; j < r; j++) a[n * m + j] *= 2;
}

/* The longest row is not the last one. */
static void two_lengths(int n, int m, const double *a, double *x) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) x[i] += a[i * 2 * m + j];
        for (int j = 0; j < 3; j++) x[i] -= a[(i * 2 + 2) * m + j];
    }
}

/* The elements end where a page does, and the next page is nobody's. */
static double *at_the_end(long n) {
    const long page = sysconf(_SC_PAGESIZE), bytes = (n * (long)sizeof(double) + page - 1) / page * page;
    char *p = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + bytes, page, PROT_NONE) != 0) return NULL;
    double *a = (double *)(p + bytes) - n;
    for (long i = 0; i < n; i++) a[i] = (double)((i * 7) % 11);
    return a;
}

int main(void) {
    enum { n = 7, m = 10, r = 4 };
    double sums[n] = {0}, x[n] = {0}, total = 0;
    double *a = at_the_end(n * m + r), *b = at_the_end(2 * n * m + 3);
    if (!a || !b) return 1;
    partial_row(n, m, r, a, sums);
    two_lengths(n, m, b, x);
    for (int i = 0; i < n; i++) total += sums[i] + x[i];
    printf("%g %g\n", total, a[n * m + r - 1]);
    return 0;
}

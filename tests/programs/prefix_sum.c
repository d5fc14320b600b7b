/* Running sums in four ways: one after the other, by doubling distances (Hillis and Steele), up and down a tree
 * (Blelloch), and in blocks whose totals are summed first. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1000
#endif
#ifndef BLOCK
#define BLOCK 37
#endif

static void in_order(int n, const int *x, long *s) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        s[i] = sum;
    }
}

static void doubling(int n, long *s, long *t) {
    for (int d = 1; d < n; d *= 2) {
        for (int i = 0; i < n; i++)
            t[i] = i >= d ? s[i] + s[i - d] : s[i];
        for (int i = 0; i < n; i++)
            s[i] = t[i];
    }
}

/* What stands before each element, without it; n is a power of two. */
static void tree(int n, long *s) {
    for (int d = 1; d < n; d *= 2)
        for (int i = 2 * d - 1; i < n; i += 2 * d)  // decline: this loop is not a counted one // original: a subscript leaves its row
            s[i] += s[i - d];
    s[n - 1] = 0;
    for (int d = n / 2; d > 0; d /= 2)
        for (int i = 2 * d - 1; i < n; i += 2 * d) { // original: a subscript leaves its row
            long left = s[i - d];
            s[i - d] = s[i];
            s[i] += left;
        }
}

static void in_blocks(int n, const int *x, long *s, long *total) {
    int blocks = (n + BLOCK - 1) / BLOCK;
    for (int b = 0; b < blocks; b++) {
        long sum = 0;
        for (int i = b * BLOCK; i < (b + 1) * BLOCK && i < n; i++) {
            sum += x[i];
            s[i] = sum;
        }
        total[b] = sum;
    }
    for (int b = 1; b < blocks; b++)
        total[b] += total[b - 1];
    for (int b = 1; b < blocks; b++)
        for (int i = b * BLOCK; i < (b + 1) * BLOCK && i < n; i++)
            s[i] += total[b - 1];
}

int main(void) {
    int *x = malloc(N * sizeof *x), power = 1, differ = 0;
    long *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c), *t = malloc(N * sizeof *t);
    while (power < N)
        power *= 2;
    long *p = calloc(power, sizeof *p), check = 0;
    if (!x || !a || !b || !c || !t || !p)
        return 1;
    for (int i = 0; i < N; i++)
        p[i] = b[i] = x[i] = (i * 31 + 7) % 101 - 20;
    in_order(N, x, a);
    doubling(N, b, t);
    tree(power, p);
    in_blocks(N, x, c, t);
    for (int i = 0; i < N; i++) {
        check += a[i] * (1 + i % 7);
        differ += (a[i] != b[i]) + (a[i] != c[i]) + (a[i] != p[i] + x[i]);
    }
    printf("prefix_sum %ld, %d differ\n", check, differ);
    free(x);
    free(a);
    free(b);
    free(c);
    free(t);
    free(p);
    return 0;
}

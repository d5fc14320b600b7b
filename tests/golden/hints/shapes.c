/* Shapes that no type tells: stated before a function and in it, allocated, handed by the only caller. What a type tells
   needs none. */
#include <stdlib.h>

#pragma rt shape(from: n + 2)
void gather(int n, const int *where, const double *from, double *to, double *grid) {
    for (int i = 0; i < n; i++)
        to[i] = from[where[i]];
#pragma rt shape(grid: n * n)
    for (int i = 0; i < n; i++)
        to[i] += grid[where[i]];
}

static void callee(int n, const int *where, double *handed) {
    for (int i = 0; i < n; i++)
        handed[where[i]] = i;
}

void caller(int n, const int *where) {
    double *block = malloc((n + 1) * sizeof(double));
    callee(n, where, block);
    free(block);
}

void typed(int n, double a[n]) {
    for (int i = 0; i < n; i++)
        a[i] = i;
}

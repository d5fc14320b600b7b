/* Values that live in one block alone: in variables of their own, so that a counter only counts. */
#include <math.h>

void swap_and_count(int n, int *p, const int *q, double *x) {
    int i, j;
    double most, size;
    for (i = 0; i < n; i++) {
        j = p[i];
        p[i] = p[n + i];
        p[n + i] = j;
        most = 0;
        for (j = 0; j < n; j++)
            if ((size = fabs(x[i * n + j])) > most && q[j] > 0)
                most = size;
        x[n * n + i] = most;
    }
}

/* A loop that an error leaves: as if there were none, and given up behind it where there was one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void factor(int n, double *a) {
    for (int k = 0; k < n; k++) {
        if (a[k * n + k] <= 0) {
            fprintf(stderr, "row %d\n", k);
            exit(1);
        }
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
    }
}

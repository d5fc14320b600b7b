/* What keeps elimination with pivots on the host: rows that change places by their pointers, and leaving it early. */
#include <math.h>

void by_pointers(double **a, int n) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        double *row = a[k]; // decline: a row of `a` is kept in a pointer here
        a[k] = a[p];
        a[p] = row;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
}

int until_singular(int n, double a[n][n]) {
    for (int k = 0; k < n; k++) {
        double max = 0.0;
        int p = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i][k]) > max) {
                max = fabs(a[i][k]);
                p = i;
            }
        if (max < 1e-12)
            return k; // decline: `return` leaves the region
        for (int j = k; j < n; j++) {
            double t = a[p][j];
            a[p][j] = a[k][j];
            a[k][j] = t;
        }
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    return n;
}

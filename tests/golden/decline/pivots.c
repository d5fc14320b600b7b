/* What keeps elimination with pivots on the host: a row that is known by the pointer that it had before it changed
   places, and leaving it for another reason than an error. */
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
                a[i][j] -= a[i][k] / a[k][k] * a[k][j] + row[j];
    }
}

/* Where the error occurs, what follows would read anywhere. */
int through_places(int n, double a[n][n], const int *place) {
    for (int k = 0; k < n; k++) {
        int p = place[k];
        if (p < 0)
            return k; // decline: `return` leaves the region
        for (int j = 0; j < n; j++)
            a[k][j] += a[p][j];
    }
    return n;
}

/* What is hoped for is no error: the loop is not run to its end. */
int until_settled(int n, int steps, double x[n], double y[n]) {
    for (int t = 0; t < steps; t++) {
        double change = 0;
        for (int i = 1; i < n - 1; i++)
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            change += fabs(y[i] - x[i]);
            x[i] = y[i];
        }
        if (change < 1e-3)
            return t; // decline: `return` leaves the region
    }
    return steps;
}

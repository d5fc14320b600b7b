/* Rows that change places by their pointers: their elements do, and an array says whose row each is. */
#include <math.h>

void eliminate(double **a, int n) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        double *row = a[k];
        a[k] = a[p];
        a[p] = row;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= n; j++)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
}

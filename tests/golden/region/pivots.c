/* The best value stands at the best place so far. The search keeps the loop around it in order, and the row that it
   finds is one of those searched. */
#include <math.h>

void lu(int n, double *a, int *piv) {
    int i, j, k, p;
    double t;
    for (k = 0; k < n; k++) {
        p = k;
        for (i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k]))
                p = i;
        piv[k] = p;
        if (p != k)
            for (j = 0; j < n; j++) {
                t = a[p * n + j];
                a[p * n + j] = a[k * n + j];
                a[k * n + j] = t;
            }
        for (i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    }
}

/* From the end: the last of the smallest. */
long smallest(long n, const int *x) {
    long at = n - 1;
    for (long i = n - 2; i >= 0; i--)
        if (x[at] >= x[i])
            at = i;
    return at;
}

/* What was found is only a value of the row: the rows are parallel. */
void rows(int n, int m, double a[n][m]) {
    for (int i = 0; i < n; i++) {
        int at = 0;
        for (int j = 1; j < m; j++)
            if (a[i][j] > a[i][at])
                at = j;
        a[i][0] = at;
    }
}

/* Between bounds that a condition says: one of these, and of any where it says too little. */
void counts(int n, int m, const int *x, int count[m], int seen[m]) {
    for (int i = 0; i < n; i++) {
        int q = x[i];
        if (q >= 1 && q <= m)
            count[q - 1]++;
        if (q < m)
            seen[q] = 1;
    }
}

/* What a condition leaves of what was found, and what is found in a part of the iterations alone. */
void parts(int n, int m, double a[n][m], const int *with) {
    for (int i = 0; i < n; i++) {
        int at = 0;
        if (with[i]) {
            at = 1;
            for (int j = 2; j < m; j++)
                if (a[i][j] > a[i][at])
                    at = j;
        }
        a[i][at] = 0.0;
        for (int j = 0; j < m; j++)
            at = j / 2;
        a[i][at] = 1.0;
    }
}

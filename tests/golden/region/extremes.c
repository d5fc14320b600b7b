/* The place of a largest value: two accumulations. */
#include <math.h>

void first(int n, const double *x, int *out) {
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) > best) {
            best = fabs(x[i]);
            at = i;
        }
    out[0] = at;
}

/* The last one, from the end, with what stands there. */
void last(long n, const float *x, int kind[n], int *out) {
    float best = x[0];
    long at = 0;
    int k = 0;
    for (long i = n - 1; i >= 0; i--) {
        float here = x[i];
        if (best >= here)
            at = 3 * i, best = here, k = kind[i];
    }
    out[0] = at + k;
}

/* In a loop that is parallel: each thread has a row, and reads it once. */
void rows(int n, int m, double a[n][m], int *out) {
    for (int i = 0; i < n; i++) {
        double best = a[i][0];
        int at = 0;
        for (int j = 1; j < m; j++)
            if (a[i][j] > best) {
                best = a[i][j];
                at = j;
            }
        out[i] = at;
    }
}

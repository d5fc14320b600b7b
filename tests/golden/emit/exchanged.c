#include <math.h>

/* The owner of a column hands its mean to the other lanes, across a barrier. */
void statistics(int n, int m, double a[n][m], double mean[m], double deviation[m]) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += a[i][j];
        mean[j] /= n;
        deviation[j] = 0.0;
        for (int i = 0; i < n; i++)
            deviation[j] += (a[i][j] - mean[j]) * (a[i][j] - mean[j]);
        deviation[j] = sqrt(deviation[j] / n);
    }
}

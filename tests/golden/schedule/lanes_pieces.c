#include <math.h>

/* The lanes wait before the second loop for the mean that their owner computes. */
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
        if (deviation[j] < 0.1)
            deviation[j] = 1.0;
    }
}

/* What each lane has for itself needs no barrier; the last loop joins nothing. */
void softmax(int n, int m, double a[n][m], double b[n][m]) {
    for (int i = 0; i < n; i++) {
        double top = a[i][0], sum = 0.0;
        for (int j = 1; j < m; j++)
            top = fmax(top, a[i][j]);
        for (int j = 0; j < m; j++)
            sum += exp(a[i][j] - top);
        for (int j = 0; j < m; j++)
            b[i][j] = exp(a[i][j] - top) / sum;
    }
}

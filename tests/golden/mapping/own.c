#include <math.h>
/* Each point has an array of its own, declared where it runs, and loops of its own. */
void own(int n, double a[n][4], double *b) {
#pragma rt merge(2) skew(2)
    for (int i = 0; i < n; i++) {
        double t[4];
        for (int k = 0; k < 4; k++)
            t[k] = a[i][k] * a[i][k];
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += sqrt(t[k]);
        b[i] = sum;
    }
}

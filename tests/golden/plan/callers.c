/* What a function is given reaches as far as what all its calls hand it: 300 elements, and m of what is allocated. */
#include <stdlib.h>
static double x[400], y[300];
static void multiply(int n, int m, const int *row, const int *column, const double *a, const double z[], double *out) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += a[k] * z[column[k]];
        out[i] = sum;
    }
}
/* Its name is given away: who knows what it is called with. */
static void scatter(int n, const int *to, double *v) {
    for (int i = 0; i < n; i++)
        v[to[i]] += 1;
}
void (*chosen)(int, const int *, double *) = scatter;
void run(int n, int count, const int *from) {
    int *row = malloc((n + 1) * sizeof *row), *column = malloc(count * sizeof *column);
    double *a = malloc(count * sizeof *a);
    for (int i = 0; i <= n; i++)
        row[i] = from[i];
    for (int k = 0; k < count; k++) {
        column[k] = from[k] % 300;
        a[k] = k;
    }
    multiply(n, count, row, column, a, x, y);
    multiply(n, count, row, column, a, y, x);
    scatter(n, from, x);
}

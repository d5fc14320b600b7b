/* Loops whose work is another at each step of one that doubles or halves: one dimension, two, sums, and a number that is
   computed from the step; and numbers of the host and of the device that one declaration or one expression sets. */
#include <stdio.h>
enum { n = 512, m = 48 };
static double x[n], y[m][m];
static void butterflies(int size) {
    for (int l = 2; l <= size; l <<= 1)
        for (int i = 0; i < size; i += l)
            for (int j = 0; j < l / 2; j++) {
                double a = x[i + j], b = x[i + j + l / 2] * (1 + j % 3);
                x[i + j] = a + b;
                x[i + j + l / 2] = a - b;
            }
}
static void halves(int size) {
    for (int s = size / 2; s > 0; s >>= 1)
        for (int i = 0; i < s; i++) x[i] = 0.5 * (x[i] + x[i + s]);
}
static void squares(int size) {
    for (int l = 1; l < size; l *= 3)
        for (int i = 0; i < l; i++)
            for (int j = 0; j < l; j++) y[i][j] += l + 0.5 * y[i][j];
}
static double sums(int size) {
    double all = 0;
    int l = 1;
    while (l < size) {
        double s = 0;
        int w = l * l / 2;
        for (int i = 0; i < w && i < n; i++) s += x[i];
        for (int i = 0; i < l; i++) x[i] = 0.25 * s;
        all += s;
        l += l;
    }
    return all + l;
}
static int reversed(int size) {
    int j, last = 0;
    for (int i = 1, j = 0; i < size; i++) {
        int b = size >> 1;
        for (; j & b; b >>= 1) j ^= b;
        j ^= b;
        if (i < j) {
            double t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        for (int k = 0; k < m; k++) y[k][k] += j;
    }
    for (last = 1, j = 0; last < 9; last++) {
        for (int k = 0; k < m; k++)
            if (y[k][0] > last) j++;
        for (int k = 0; k < m; k++) y[k][1] += j;
    }
    return last + j;
}
static double sum(void) {
    double s = 0;
    for (int i = 0; i < n; i++) s += (i % 7 + 1) * x[i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) s += (i + 2 * j) % 5 * y[i][j];
    return s;
}
static void start(void) {
    for (int i = 0; i < n; i++) x[i] = i % 37;
}
int main(void) {
    start();
    butterflies(256);
    printf("%.9g\n", sum());
    start();
    halves(n);
    printf("%.9g\n", sum());
    squares(m);
    printf("%.9g\n", sum());
    start();
    printf("%.9g\n", sums(40));
    printf("%.9g\n", sum());
    printf("%d\n", reversed(128));
    printf("%.9g\n", sum());
    return 0;
}

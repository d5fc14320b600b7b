/* What follows `if (c) { ...; continue; }` runs where the condition does not hold: one after the other, in each other, beside
   jumps that stay jumps, with a variable that both sides set. */
#include <stdio.h>
enum { n = 150, m = 37 };
static double a[n][m], b[n][m];
static int kind[n];
static void one_after_the_other(void) {
    for (int i = 0; i < n; i++) {
        if (kind[i] == 0) {
            for (int j = 0; j < m; j++) b[i][j] = 0;
            continue;
        }
        double s = 0;
        if (kind[i] == 1) {
            for (int j = 0; j < m; j++) s += a[i][j];
            b[i][0] = s;
            continue;
        }
        for (int j = 1; j < m; j++) b[i][j] = a[i][j] - a[i][j - 1] + s;
    }
}
static double in_each_other(void) {
    double last = -1, t = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (a[i][j] < 3) {
                t = a[i][j];
                b[i][j] += t;
                continue;
            }
            t = 2 * a[i][j];
            if (b[i][j] > 20) continue;
            b[i][j] += t;
        }
        if (kind[i] == 2) {
            last = b[i][0];
            continue;
        }
        for (int j = 0; j < m; j++) b[i][j] += 1;
    }
    return last + t;
}
static int until(int limit) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (kind[i] == 0) {
            for (int j = 0; j < m; j++) a[i][j] += 1;
            continue;
        }
        if (kind[i] + i > limit) break;
        for (int j = 0; j < m; j++) a[i][j] += 2;
        k++;
    }
    return k;
}
static int with_bounds_of_its_own(int w) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        int first = 4 * (i % w), end = first + 4 > m ? m : first + 4;
        if (first == 0 || end == m) {
            for (int j = first; j < end; j++) b[i][j] -= a[i][j];
            k++;
            continue;
        }
        for (int j = first; j < end; j++) b[i][j] += 0.5 * (a[i][j - 1] + a[i][j + 1]);
    }
    return k;
}
static double sum(void) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += (i % 7 + j % 5 + 1) * (a[i][j] + 2 * b[i][j]);
    return s;
}
int main(void) {
    for (int i = 0; i < n; i++) {
        kind[i] = i * 7 % 3;
        for (int j = 0; j < m; j++) a[i][j] = (i * 3 + j * 5) % 17;
    }
    one_after_the_other();
    printf("%g\n", sum());
    printf("%g\n", in_each_other());
    printf("%g\n", sum());
    printf("%d\n", until(100));
    printf("%g\n", sum());
    printf("%d\n", with_bounds_of_its_own(9));
    printf("%g\n", sum());
    return 0;
}

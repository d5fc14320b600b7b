/* Few elements with long loops: several blocks share a loop. Some calls are too small for that. */
#include <stdio.h>
enum { R = 6, N = 9000, M = 40000 };
static double a[R][N], x[N], t[R], u[R];
static double wide[M][5], sums[5], gram[5][5];
static float f[R][N];
static int least[R], greatest[R];

static void private_sum(long n) {
    for (int r = 0; r < 6; r++) {
        double s = 0;
        for (long i = 0; i < n; i++) s += x[i] * r;
        t[r] = s;
    }
}
static void element(int m, int n) {
    for (int r = 0; r < m; r++) {
        t[r] = r;
        for (int i = 0; i < n; i++) t[r] += a[r][i];
        u[r] = t[r] * 2;
    }
}
static void two_sums(int m, int n) {
    for (int r = 0; r < m; r++) {
        double s = 0, p = 0, scale = r + 1;
        for (int i = 0; i < n; i++) {
            s += a[r][i] * scale;
            p += x[i];
        }
        t[r] = s - p * 3;
    }
}
/* The second loop needs what the first gives: one block for both. */
static void in_turn(int m, int n) {
    for (int r = 0; r < m; r++) {
        double mean = 0, s = 0;
        for (int i = 0; i < n; i++) mean += a[r][i];
        mean = mean > n;
        for (int i = 0; i < n; i++) s += (a[r][i] - mean) * (a[r][i] - mean);
        t[r] = s;
    }
}
/* Two loops that need nothing of each other. */
static void apart(int m, int n) {
    for (int r = 0; r < m; r++) {
        double s = 0, p = 1;
        for (int i = 0; i < n; i++) s += a[r][i];
        for (int i = 1; i < n; i += 2) p += x[i];
        t[r] = s - p;
    }
}
static void extremes(int m, int n) {
    for (int r = 0; r < m; r++) {
        int lo = 1000, hi = -1000;
        for (int i = n - 1; i >= 0; i--) {
            if ((int)f[r][i] < lo) lo = (int)f[r][i];
            if ((int)f[r][i] > hi) hi = (int)f[r][i];
        }
        least[r] = lo;
        greatest[r] = hi;
    }
}
static void triangle(int m, int n) {
    for (int r = 0; r < m; r++) {
        double s = 0;
        for (int i = 0; i < n - 1000 * r; i++) s += a[r][i];
        t[r] = s;
    }
}
static void columns(int m, int n) {
    for (int j = 0; j < n; j++) sums[j] = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) sums[j] += wide[i][j] * (i % 3);
}
/* Each row writes what it reads. */
static void scaled(int m, int n) {
    for (int r = 0; r < m; r++) {
        double s = 0;
        for (int i = 0; i < n; i++) {
            s += a[r][i];
            a[r][i] = -a[r][i];
        }
        t[r] = s;
    }
}
/* What the row has written, the loop reads. */
static void reads_own(int m, int n) {
    for (int r = 0; r < m; r++) {
        a[r][0] = r + 1;
        for (int i = 0; i < n; i++) t[r] += a[r][i] * a[r][0];
    }
}
/* Sums of sums: an iteration of the outer loop is an element, whose loop several blocks share. */
static double grand(long n) {
    double all = 0;
    for (int r = 0; r < 6; r++) {
        double s = 0;
        for (long i = 0; i < n; i++) s += x[i];
        all += s * r;
    }
    return all;
}
static double norms(int m, int n) {
    double greatest_norm = -1;
    int any = 0;
    for (int r = 0; r < m; r++) {
        double s = 0;
        int k = 0;
        for (int i = r; i < n; i++) {
            double y = a[r][i] * 2;
            s += y * y;
            k |= y > 10;
        }
        if (s > greatest_norm) greatest_norm = s;
        any += k;
    }
    return greatest_norm + any;
}
static double leaves_rows(int m, int n) {
    double all = 0;
    for (int r = 0; r < m; r++) {
        t[r] = 1;
        for (int i = 0; i < n; i++) t[r] += a[r][i];
        all += t[r];
    }
    return all;
}
/* All iterations add to one element. */
static double straight(int m, int n) {
    double all = 0, rows = 0;
    for (int r = 0; r < m; r++) {
        rows += t[r];
        for (int i = 0; i < n; i++) all += a[r][i];
    }
    return all + rows;
}
/* Two loops make few elements. */
static void pairs(int n) {
    for (int r = 0; r < 2; r++)
        for (int q = 0; q < 3; q++) {
            double s = 0;
            for (int i = 0; i < n; i++) s += a[r][i] * a[q][i];
            t[r * 3 + q] = s;
        }
}
static void products(int n) {
    for (int r = 1; r < 5; r++)
        for (int q = 4; q >= 0; q -= 2) gram[r][q] = 0;
    for (int r = 1; r < 5; r++)
        for (int q = 4; q >= 0; q -= 2)
            for (int i = 0; i < n; i++) gram[r][q] += wide[i][r] * wide[i][q];
}
static double of_pairs(int n) {
    double all = 0;
    for (int r = 0; r < 2; r++)
        for (int q = 0; q < 3; q++) {
            double s = 0;
            for (int i = 0; i < n; i++) s += a[r][i] * a[q][i];
            all += s * s;
        }
    return all;
}
/* Steps, each of which divides its loops. */
static void steps(int m, int n, int n_steps) {
    for (int k = 0; k < n_steps; k++) {
        for (int r = 0; r < m; r++) {
            double s = 0;
            for (int i = 0; i < n; i++) s += a[r][i] * t[r];
            u[r] = s / 64;
        }
        for (int r = 0; r < m; r++) t[r] -= u[m - 1 - r];
    }
}
static void until(int m, int n) {
    double left = 100;
    int k = 0;
    while (left > 1 && k < 3) {
        for (int r = 0; r < m; r++) {
            double s = 0;
            for (int i = k; i < n; i++) s += a[r][i] * t[r];
            u[r] = s / 64;
        }
        left = 0;
        for (int r = 0; r < m; r++) {
            double s = 0;
            for (int i = 0; i < n - k; i++) s += x[i] * u[r];
            left += s;
        }
        for (int r = 0; r < m; r++) t[r] -= u[r] / 2;
        k++;
    }
}
static double checked(void) {
    double s = 0;
    for (int r = 0; r < R; r++) s = s * 3 + t[r] + u[r] + least[r] + 2 * greatest[r];
    for (int j = 0; j < 5; j++) s = s * 3 + sums[j];
    for (int j = 0; j < 25; j++) s = s + gram[j / 5][j % 5] * j;
    return s;
}
int main(void) {
    for (int r = 0; r < R; r++)
        for (int i = 0; i < N; i++) a[r][i] = (i * 7 + r) % 13 - 5, f[r][i] = (i * 5 + r * 3) % 101 - 50, x[i] = i % 7;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < 5; j++) wide[i][j] = (i + j) % 11 - 4;
    for (int n = N; n >= 0; n = n > 100 ? n / 3 : n - 30) {
        private_sum(n), printf("%g\n", checked());
        element(R, n), printf("%g\n", checked());
        two_sums(R, n), printf("%g\n", checked());
        if (n > 0) in_turn(R, n), printf("%g\n", checked());
        apart(R, n), printf("%g\n", checked());
        extremes(R, n), printf("%g\n", checked());
        triangle(R, n), printf("%g\n", checked());
        columns(n * 4, 5), printf("%g\n", checked());
        scaled(R - 1, n), printf("%g\n", checked());
        printf("%g %g %g %g %g\n", grand(n), norms(R, n), leaves_rows(R, n), straight(R, n), of_pairs(n));
        for (int r = 0; r < R; r++) t[r] = r - 2;
        steps(R, n, 3), printf("%g %g\n", t[1], u[R - 1]);
        for (int r = 0; r < R; r++) t[r] = r - 2;
        until(R, n), printf("%g %g\n", t[1], u[R - 1]);
        for (int r = 0; r < R; r++) t[r] = u[r] = r;
        pairs(n), printf("%g\n", checked());
        products(n * 4), printf("%g\n", checked());
        reads_own(R, n > 0 ? n : 1), printf("%g\n", checked());
    }
    return 0;
}

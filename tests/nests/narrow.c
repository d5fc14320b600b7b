/* Shapes that would leave threads of a block of the usual extents without a point, or lanes without an iteration. */
#include <stdio.h>
enum { N = 300000, ROWS = 70000 };
static double a[N], b[N], t[N];
static float vectors[1000][3], tensors[200][3][3], fields[3][4][5][6][2];

/* Extents that only the call knows. */
static void matrix(long n, long m) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) b[i * m + j] = 2 * a[i * m + j] + i - j;
}
static void cube(int n, int m, int l, double (*u)[m][l], double (*v)[m][l]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = l - 1; k >= 0; k--) v[i][j][k] = u[i][j][k] - k;
}
static void interior(int n, int m, double (*u)[m], double (*v)[m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) v[i][j] = u[i][j - 1] + u[i][j + 1] + u[i - 1][j];
}
static void five(int n, int m, int l, int q, int r, double (*u)[m][l][q][r]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                for (int p = 0; p < q; p += 2)
                    for (int s = 0; s < r; s++) u[i][j][k][p][s] = i + 10 * j + 100 * k + 1000 * p + 10000 * s;
}

/* Known extents of a few iterations. */
static void of_three(int n, int first) {
    for (int i = first; i < n; i++)
        for (int d = 0; d < 3; d++) vectors[i][d] = 3 * vectors[i][d] + d;
}
static void other_order(int n) {
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < n; i++) vectors[i][d] -= i;
}
static void transposed(int n) {
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++) tensors[i][d][e] = i + 10 * e - d;
}
static void all_known(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                for (int p = 0; p < 6; p++)
                    for (int s = 0; s < 2; s++) fields[i][j][k][p][s] += i * j - k * p + s;
}

/* Short loops of many elements. */
static void rows(int n, int m) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) s += a[i * m + j];
        t[i] = s;
    }
}
static void columns(int n, int m) {
    for (int j = 0; j < m; j++) {
        double s = j;
        for (int i = 0; i < n; i++) s += a[i * m + j];
        t[j] = s;
    }
}
static void window(long n, long w) {
    for (long i = 0; i < n; i++) {
        t[i] = 0;
        for (long k = 0; k < w; k++) t[i] += a[i + k];
    }
}

int main(void) {
    for (int i = 0; i < N; i++) a[i] = i % 103, b[i] = t[i] = 0;
    matrix(1001, 3), matrix(3, 1001), matrix(1, 900), matrix(900, 1), matrix(40, 50), matrix(0, 7), matrix(7, 0);
    matrix(-1, 5), matrix(5, -3), matrix(-2, -2);
    cube(100, 3, 2, (void *)a, (void *)b), cube(2, 3, 100, (void *)b, (void *)a), cube(9, 1, 1, (void *)a, (void *)b);
    interior(500, 4, (void *)a, (void *)b), interior(4, 500, (void *)a, (void *)b), interior(2, 9, (void *)a, (void *)b);
    five(20, 3, 2, 5, 3, (void *)b), five(2, 3, 2, 2, 40, (void *)b);
    of_three(1000, 0), of_three(7, 6), of_three(3, 9), other_order(1000), transposed(200), all_known();
    rows(ROWS, 4), rows(ROWS, 1), rows(50, 40), rows(ROWS, 0);
    columns(1, 270000), columns(30, 70), window(270000, 3), window(1000, 5);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += b[i] * (i % 7) + t[i];
    for (int i = 0; i < 1000; i++) sum += vectors[i][0] + 2 * vectors[i][1] - vectors[i][2];
    printf("%.3f %.3f %.3f\n", sum, tensors[57][1][2], fields[2][3][4][5][1]);
    return 0;
}

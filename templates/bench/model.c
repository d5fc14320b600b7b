/* Loops of known sizes, one kernel or two each: what estimates of the cost model are held against. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void add(int n, int m, float a[n][m], float b[n][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = a[i][j] + b[i][j];
}

void transpose(int n, int m, float a[n][m], float b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
}

void by_rows(int n, int m, float a[n][m], float x[m], float y[n]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

void by_columns(int n, int m, float a[n][m], float x[n], float y[m]) {
    for (int j = 0; j < m; j++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i][j] * x[i];
        y[j] = sum;
    }
}

void product_f32(int n, float a[n][n], float b[n][n], float c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

void product_f64(int n, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

float total(long n, float x[n]) {
    float sum = 0;
    for (long i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

void axpy(long n, double a, double x[n], double y[n]) {
    for (long i = 0; i < n; i++)
        y[i] += a * x[i];
}

void five_points(int n, float a[n][n], float b[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

void seven_points(int n, double a[n][n][n], double b[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                b[i][j][k] = 0.1 * (a[i][j][k] + a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] +
                                    a[i][j][k - 1] + a[i][j][k + 1]);
}

void every_eighth(long n, double a[8 * n], double b[n]) {
    for (long i = 0; i < n; i++)
        b[i] = a[8 * i] + 1.0;
}

struct point {
    float x, y, z, w;
};

void lengths(long n, struct point p[n], float r[n]) {
    for (long i = 0; i < n; i++)
        r[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}

void gather(long n, int at[n], float x[n], float y[n]) {
    for (long i = 0; i < n; i++)
        y[i] = x[at[i]];
}

void histogram(long n, unsigned char v[n], int count[256]) {
    for (long i = 0; i < n; i++)
        count[v[i]]++;
}

void triangle(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            b[i][j] = 2.0 * a[i][j];
}

void functions(long n, double x[n], double y[n]) {
    for (long i = 0; i < n; i++)
        y[i] = exp(x[i]) + sin(x[i]);
}

void bodies(int n, float x[n], float y[n], float z[n], float f[n]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float r = dx * dx + dy * dy + dz * dz + 0.01f;
            sum += dx / (r * sqrtf(r));
        }
        f[i] = sum;
    }
}

void sparse(int n, int start[n + 1], int column[], double value[], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

static void *memory(size_t bytes) {
    void *p = calloc(bytes, 1);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

/* Seven diagonals, as of a cube with edges of m points, within the matrix. */
static void sparse_case(int m) {
    int n = m * m * m, at = 0, away[7] = {-m * m, -m, -1, 0, 1, m, m * m};
    int *start = memory(sizeof *start * (n + 1)), *column = memory(sizeof *column * 7 * n);
    double *value = memory(sizeof *value * 7 * n), *x = memory(sizeof *x * n), *y = memory(sizeof *y * n);
    for (int i = 0; i < n; i++) {
        start[i] = at;
        for (int d = 0; d < 7; d++)
            if (i + away[d] >= 0 && i + away[d] < n)
                column[at++] = i + away[d];
    }
    start[n] = at;
    for (int run = 0; run < 3; run++)
        sparse(n, start, column, value, x, y);
    free(start), free(column), free(value), free(x), free(y);
}

int main(void) {
    long n = 1L << 26;
    float *a = memory(4 * n), *b = memory(4 * n), *c = memory(4 * n), sum = 0;
    int *at = memory(n), count[256] = {0};
    unsigned state = 1;
    for (long i = 0; i < n / 4; i++) {
        state = state * 1664525u + 1013904223u;
        at[i] = state % (unsigned)(n / 4);
    }
    for (int run = 0; run < 3; run++) {
        add(8192, 8192, (void *)a, (void *)b, (void *)c);
        transpose(8192, 8192, (void *)a, (void *)b);
        by_rows(8192, 8192, (void *)a, b, c);
        by_columns(65536, 1024, (void *)a, b, c);
        product_f32(2048, (void *)a, (void *)b, (void *)c);
        product_f64(2048, (void *)a, (void *)b, (void *)c);
        sum += total(n, a);
        axpy(n / 2, 2.0, (void *)a, (void *)b);
        five_points(8192, (void *)a, (void *)b);
        seven_points(320, (void *)a, (void *)b);
        every_eighth(n / 16, (void *)a, (void *)b);
        lengths(n / 4, (void *)a, b);
        gather(n / 4, at, a, b);
        triangle(5792, (void *)a, (void *)b);
        functions(n / 2, (void *)a, (void *)b);
        bodies(65536, a, b, c, c + n / 2);
    }
    unsigned char *bytes = (unsigned char *)c;
    for (long i = 0; i < n; i++)
        bytes[i] = (unsigned)i * 2654435761u >> 13;
    for (int run = 0; run < 3; run++)
        histogram(n, bytes, count);
    sparse_case(128);
    printf("%g %d\n", sum, count[0]);
    free(a), free(b), free(c), free(at);
    return 0;
}

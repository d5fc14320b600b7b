/* Loops over triangles: a symmetric rank-k update, a product with a triangular matrix, a band. */
#include <stdio.h>

#ifndef N
#define N 53
#endif
#ifndef K
#define K 21
#endif
#define BAND 4

static double a[N][K], c[N][N], l[N][N], x[N], y[N], z[N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        x[i] = (i * 7 % 19) / 19.0;
        for (int k = 0; k < K; k++)
            a[i][k] = (i * 3 + k * 5) % 23 / 23.0;
        for (int j = 0; j < N; j++) {
            c[i][j] = (i + j) % 29 / 29.0;
            l[i][j] = (2 * i + j) % 31 / 31.0;
        }
    }
}

static void rank_k(double alpha, double beta) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= beta;
        for (int k = 0; k < K; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
}

static void lower_product(void) {
    for (int i = 0; i < N; i++) {
        y[i] = 0.0;
        for (int j = 0; j <= i; j++)
            y[i] += l[i][j] * x[j];
    }
}

static void band_product(void) {
    for (int i = 0; i < N; i++) {
        double sum = 0.0;
        for (int j = i > BAND ? i - BAND : 0; j <= (i + BAND < N ? i + BAND : N - 1); j++)
            sum += l[i][j] * y[j];
        z[i] = sum;
    }
}

int main(void) {
    double check = 0.0;
    init();
    rank_k(1.5, 0.5);
    lower_product();
    band_product();
    for (int i = 0; i < N; i++) {
        check += (y[i] + z[i]) * (1 + i % 7);
        for (int j = 0; j < N; j++)
            check += c[i][j] * (1 + (i + j) % 7);
    }
    printf("triangular %.10e\n", check);
    return 0;
}

#include <stdio.h>

typedef struct { float rho, speed[2]; } cell;

/* Records, and short rows, in arrays with subscripts by hand. */
static void flow(int nx, int ny, const cell *at, cell *to) {
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            to[i + j * nx].rho = at[i + j * nx].rho;
            for (int k = 0; k < 2; k++)
                to[i + j * nx].speed[k] = at[i + j * nx].speed[k] * (1 + k);
        }
}

static void upwind(int nx, int ny, cell *c) {
    for (int j = 0; j < ny - 1; j++)
        for (int i = 0; i < nx - 1; i++)
            c[i + j * nx].rho -= 0.25f * (c[i + 1 + (j + 1) * nx].rho - c[i + 1 + j * nx].speed[0]);
}

static void sums(int n, int m, int p, double (*a)[2], double (*b)[2], double (*c)[2]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++) {
                c[i * m + j][0] += a[i * p + k][0] * b[k * m + j][0] - a[i * p + k][1] * b[k * m + j][1];
                c[i * m + j][1] += a[i * p + k][0] * b[k * m + j][1] + a[i * p + k][1] * b[k * m + j][0];
            }
}

static void planes(int n, int m, const double *in, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[2 * (i * m + j)] = in[3 * (i * m + j)] + in[3 * (i * m + j) + 1];
            out[2 * (i * m + j) + 1] = in[3 * (i * m + j) + 2];
        }
}

/* More columns than a row has: neighbours in memory are written twice. */
static void over(int n, int m, double *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m + 2; j++)
            out[2 * (i * m + j)] = i - j;
}

enum { NX = 21, NY = 17 };

int main(void) {
    static cell a[NX * NY], b[NX * NY];
    static double x[NX * NY][2], y[NX * NY][2], z[NX * NX][2], u[3 * NX * NY], v[2 * NX * NY + 9];
    for (int i = 0; i < NX * NY; i++) {
        a[i].rho = i % 13;
        a[i].speed[0] = i % 7;
        a[i].speed[1] = i % 5;
        x[i][0] = i % 11, x[i][1] = i % 3, y[i][0] = i % 9, y[i][1] = i % 4;
    }
    for (int i = 0; i < 3 * NX * NY; i++) u[i] = i % 17;
    flow(NX, NY, a, b);
    upwind(NX, NY, b);
    sums(NX, NX, NY, x, y, z);
    planes(NY, NX, u, v);
    over(9, NX, v);
    double s = 0;
    for (int i = 0; i < NX * NY; i++) s += b[i].rho * (i % 19) + b[i].speed[0] - b[i].speed[1] + v[2 * i + 1] + v[2 * i] * (i % 7);
    for (int i = 0; i < NX * NX; i++) s += z[i][0] * (i % 5) + z[i][1];
    printf("%.9g\n", s);
    return 0;
}

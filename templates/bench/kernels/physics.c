/* A step of a simulation. */
#include "kernels.h"

/* Lattice Boltzmann with nine directions in the plane: what arrives at a cell is relaxed towards equilibrium. */
static void lattice_boltzmann(int n, int m, float omega, float f[9][n][m], float g[9][n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float c = f[0][i][j];
            float e = f[1][i][j - 1], w = f[2][i][j + 1], s = f[3][i - 1][j], t = f[4][i + 1][j];
            float se = f[5][i - 1][j - 1], tw = f[6][i + 1][j + 1], sw = f[7][i - 1][j + 1], te = f[8][i + 1][j - 1];
            float rho = c + e + w + s + t + se + tw + sw + te;
            float ux = (e - w + se - tw - sw + te) / rho;
            float uy = (s - t + se - tw + sw - te) / rho;
            float rest = 1.0f - 1.5f * (ux * ux + uy * uy);
            float sum = ux + uy, difference = ux - uy;
            float straight = rho / 9.0f, oblique = rho / 36.0f;
            g[0][i][j] = c + omega * (rho * 4.0f / 9.0f * rest - c);
            g[1][i][j] = e + omega * (straight * (rest + 3.0f * ux + 4.5f * ux * ux) - e);
            g[2][i][j] = w + omega * (straight * (rest - 3.0f * ux + 4.5f * ux * ux) - w);
            g[3][i][j] = s + omega * (straight * (rest + 3.0f * uy + 4.5f * uy * uy) - s);
            g[4][i][j] = t + omega * (straight * (rest - 3.0f * uy + 4.5f * uy * uy) - t);
            g[5][i][j] = se + omega * (oblique * (rest + 3.0f * sum + 4.5f * sum * sum) - se);
            g[6][i][j] = tw + omega * (oblique * (rest - 3.0f * sum + 4.5f * sum * sum) - tw);
            g[7][i][j] = sw + omega * (oblique * (rest - 3.0f * difference + 4.5f * difference * difference) - sw);
            g[8][i][j] = te + omega * (oblique * (rest + 3.0f * difference + 4.5f * difference * difference) - te);
        }
}

ROW(lattice_boltzmann) {
    long n = size[0], m = size[1];
    float *f = floats(9 * n * m), *g = floats(9 * n * m);
    for (int run = 0; run < runs; run++)
        lattice_boltzmann(n, m, 0.6f, (void *)f, (void *)g);
    free(f), free(g);
}

/* Electric, then magnetic fields in empty space, on a staggered grid (K. Yee, 1966). */
static void fdtd3d(int n, float step, float ex[n][n][n], float ey[n][n][n], float ez[n][n][n], float hx[n][n][n],
                   float hy[n][n][n], float hz[n][n][n]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            for (int k = 1; k < n; k++) {
                ex[i][j][k] += step * (hz[i][j][k] - hz[i][j - 1][k] - hy[i][j][k] + hy[i][j][k - 1]);
                ey[i][j][k] += step * (hx[i][j][k] - hx[i][j][k - 1] - hz[i][j][k] + hz[i - 1][j][k]);
                ez[i][j][k] += step * (hy[i][j][k] - hy[i - 1][j][k] - hx[i][j][k] + hx[i][j - 1][k]);
            }
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            for (int k = 0; k < n - 1; k++) {
                hx[i][j][k] -= step * (ez[i][j + 1][k] - ez[i][j][k] - ey[i][j][k + 1] + ey[i][j][k]);
                hy[i][j][k] -= step * (ex[i][j][k + 1] - ex[i][j][k] - ez[i + 1][j][k] + ez[i][j][k]);
                hz[i][j][k] -= step * (ey[i + 1][j][k] - ey[i][j][k] - ex[i][j + 1][k] + ex[i][j][k]);
            }
}

ROW(fdtd3d) {
    long n = size[0], all = n * n * n;
    float *ex = floats(all), *ey = floats(all), *ez = floats(all);
    float *hx = floats(all), *hy = floats(all), *hz = floats(all);
    for (int run = 0; run < runs; run++)
        fdtd3d(n, 0.25f, (void *)ex, (void *)ey, (void *)ez, (void *)hx, (void *)hy, (void *)hz);
    free(ex), free(ey), free(ez), free(hx), free(hy), free(hz);
}

/* The wave equation: the next of three states, in the place of the last. */
static void wave3d(int n, float c, float last[n][n][n], float now[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                last[i][j][k] = 2.0f * now[i][j][k] - last[i][j][k] +
                                c * (now[i - 1][j][k] + now[i + 1][j][k] + now[i][j - 1][k] + now[i][j + 1][k] +
                                     now[i][j][k - 1] + now[i][j][k + 1] - 6.0f * now[i][j][k]);
}

ROW(wave3d) {
    long n = size[0];
    float *last = floats(n * n * n), *now = floats(n * n * n);
    for (int run = 0; run < runs; run++)
        wave3d(n, 0.1f, (void *)last, (void *)now);
    free(last), free(now);
}

/* Subscripts linearised by hand are seen in two and three dimensions. */
void add(int n, int m, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * m + j] = a[i * m + j] + b[j * n + i];
}

void smooth(int nx, int ny, int nz, const float *u, float *v) {
    for (int k = 1; k < nz - 1; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++)
                v[(k * ny + j) * nx + i] = 0.5f * (u[((k - 1) * ny + j) * nx + i] + u[((k + 1) * ny + j) * nx + i]);
}

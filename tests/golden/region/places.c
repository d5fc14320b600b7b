/* Places in arrays that are computed before they are used, and elements that a condition chooses. */
void grid(int nx, int ny, int nz, const double *restrict in, double *restrict out) {
    int c, w, s;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                c = x + y * nx + z * nx * ny;
                w = (x == 0) ? c : c - 1;
                s = (y == ny - 1) ? c : c + nx;
                const int t = (z == nz - 1) ? c : c + nx * ny;
                out[c] = in[c] + in[w] + in[s] + in[t];
            }
}
void chosen(int n, const int *restrict flags, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++)
        y[flags[i] ? i : 0] = x[flags[i] ? i : n - 1 - i];
}
/* Left as they are: what is wanted behind the loop, and what is no place. */
int kept(int n, int m, double *restrict x, const double *restrict y) {
    int k = 0, last = 0;
    for (int i = 0; i < n; i++) {
        k = i * m;
        x[k] = y[i];
        last = (int)y[i];
        x[k + 1] = last * last;
    }
    return k;
}

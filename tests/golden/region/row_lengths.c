/* Rows as long as what is left of others behind margins; a diagonal, which is one of rows of n. */
void inside(int h, int w, int m, const double *a, double *restrict out) {
    for (int i = m; i < h - m; i++)
        for (int j = m; j < w - m; j++) *out++ = a[i * w + j];
}
void odd(int m, double *out) {
    for (int i = -m; i <= m; i++)
        for (int j = -m; j <= m; j++) *out++ = i * j;
}
void diagonal(int n, double *a) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) a[i * n + j] *= 2;
        a[i * n + i] += 1;
    }
}
/* How long the rows of windows are beside those of `a`, nobody knows. */
void windows(int h, int w, int m, int beside, const double *a, double *restrict out) {
    for (int i = 0; i < h; i++) {
        const double *p = a + i * w;
        for (int y = 0; y < m; y++) {
            for (int x = 0; x < m; x++) out[i] += *p++;
            p += beside;
        }
    }
}

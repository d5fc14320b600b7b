/* A pointer that walks is what it was, and how far the iterations before have moved it. */
void rows(int h, int w, int ld, const double *restrict src, double *restrict dst) {
    for (int y = 0; y < h; y++, src += ld)
        for (int x = 0; x < w; x++) *dst++ = src[x];
}
double *read_behind(int n, double *q) {
    for (int i = 0; i < n; i++) *q++ = i;
    return q;
}

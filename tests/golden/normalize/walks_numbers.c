/* Numbers that walk as subscripts do: each is what it was, and how far the iterations before have moved it. */
int pack(int n, int m, int ld, double *restrict out, const double *restrict in) {
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) out[k++] = in[i * ld + j];
    return k;
}
void box(int nx, int ny, int start, int sx, int sy, double *restrict r, const double *restrict b) {
    int i, j, at = start, from = 0;
    for (j = 0; j < ny; j++) {
        for (i = 0; i < nx; i++) {
            r[at] -= b[from];
            at += sx;
            from++;
        }
        at += sy - nx * sx;
    }
}
void back(int n, int *restrict x) {
    long k;
    for (int i = 0; i < n; i++) {
        k = 10 * i;
        for (int j = 9; j >= 0; j--) {
            x[--k + 10] = 5;
            x[k] = 2 * k;
        }
    }
}
/* These stay: how far it moves, the data say; it ends a loop; it is multiplied; it is unsigned; others see it; only its end is
 * wanted. */
int filter(int n, double *restrict out, const double *restrict in) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (in[i] > 0) out[k++] = in[i];
    return k;
}
void until(int n, double *out) {
    int k = 0;
    for (int i = 0; k < n; i++) out[k++] = i;
}
void hash(int n, int *out) {
    int h = 7;
    for (int i = 0; i < n; i++) {
        h *= 3;
        h += 1;
        out[i] = h;
    }
}
void wraps(int n, int *restrict out, const int *restrict in) {
    unsigned k = 5;
    for (int i = 0; i < n; i++) {
        k -= 7;
        out[i] = in[k % 100];
    }
}
extern void look(int *k);
void shown(int n, int *out) {
    int k = 0;
    look(&k);
    for (int i = 0; i < n; i++) out[k++] = i;
}
int count(int n, int *out) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        out[i] = i;
        k += 3;
    }
    return k;
}
void by_unsigned(int n, unsigned by, int *out) {
    int k = n;
    for (int i = 0; i < n; i++) {
        out[k] = i;
        k += by;
    }
}

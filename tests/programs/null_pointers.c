// Pointers that may lead nowhere, and are asked: a bias that is left out, an output that nobody wants.
#include <stdio.h>
#include <stdlib.h>
void mm(float *out, const float *in, const float *w, const float *bias, int n, int m, int c) {
    for (int i = 0; i < n; i++)
        for (int o = 0; o < m; o++) {
            float val = (bias != NULL) ? bias[o] : 0.0f;
            for (int k = 0; k < c; k++) val += in[i * c + k] * w[o * c + k];
            out[i * m + o] = val;
        }
}
void back(float *dw, float *db, const float *d, int n, int m) {
    for (int o = 0; o < m; o++)
        for (int i = 0; i < n; i++) {
            if (db != NULL) { db[o] += d[i * m + o]; }
            dw[o] += 2 * d[i * m + o];
        }
}
void opt(float *out, float *two, int n) {
    for (int i = 0; i < n; i++) { out[i] = i; if (two) two[i] += out[i]; if (!two) out[i] -= 1; }
}
/* A parameter that is written as an array is a pointer all the same. */
void written_as_array(float *a, const float bias[], int n) {
    for (int i = 0; i < n; i++) a[i] += bias ? bias[i] : 0.25f;
}
static double products(void) {
    int n = 40, m = 30, c = 20;
    float *out = malloc(4 * n * m), *in = malloc(4 * n * c), *w = malloc(4 * m * c), *b = malloc(4 * m);
    for (int i = 0; i < n * c; i++) in[i] = i % 7;
    for (int i = 0; i < m * c; i++) w[i] = i % 5;
    for (int i = 0; i < m; i++) b[i] = i;
    double s = 0;
    for (int t = 0; t < 2; t++) {
        mm(out, in, w, t ? NULL : b, n, m, c);
        for (int i = 0; i < n * m; i++) s += out[i];
        back(w, t ? NULL : b, out, n, m);
        for (int i = 0; i < m; i++) s += b[i] + w[i];
        opt(out, t ? in : NULL, n);
        written_as_array(out, t ? in : NULL, n);
        for (int i = 0; i < n; i++) s += in[i] + out[i];
    }
    return s;
}

struct layer { float *w, *b; int n; };
static int is(const float *p) { return p != 0; }
void moved(float *p, float *a, int n, int m) {
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) { if (p) a[i] += p[i]; else a[i] += 1; }
        p = 0;
    }
}
void member(struct layer *l, float *a, int n) {
    for (int i = 0; i < n; i++) a[i] += l->b ? l->b[i] : 0.5f;
}
void called(float *p, float *a, int n) {
    for (int i = 0; i < n; i++) if (is(p)) a[i] += 3 * p[i];
}
void same(float *a, int n, float *s) {
    for (int i = 0; i < n; i++) {
        float x = 0;
        for (int j = 0; j < n; j++) if (&a[i] != &a[j]) x += a[j];
        s[i] = x;
    }
}
void swapped(float *p, float *q, int n, int m) {
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) if (q) p[i] += q[i] + 1;
        float *x = p; p = q; q = x;
    }
}
void both(float *a, const float *m, const float *v, int n) {
    for (int i = 0; i < n; i++) if (m && v && m[i] > 0.5f) a[i] *= v[i]; else if (NULL == m) a[i] += 1;
}
int main(void)
{
    const int n = 300;
    float *a = malloc(4 * n), *b = malloc(4 * n), *c = malloc(4 * n);
    for (int i = 0; i < n; i++) a[i] = i % 7, b[i] = i % 3, c[i] = i % 5;
    struct layer l = { a, b, n };
    double s = 0;
    for (int k = 0; k < 2; k++) {
        moved(k ? b : 0, a, n, 3); for (int i = 0; i < n; i++) s += a[i];
        l.b = k ? 0 : b; member(&l, a, n); for (int i = 0; i < n; i++) s += a[i];
        called(k ? c : NULL, a, n); for (int i = 0; i < n; i++) s += a[i];
        same(a, n, c); for (int i = 0; i < n; i++) s += 1e-3 * c[i];
        swapped(b, c, n, 2 + k); for (int i = 0; i < n; i++) s += 1e-3 * b[i] + c[i] * 1e-3;
        both(a, k ? b : 0, c, n); both(a, b, k ? 0 : c, n); for (int i = 0; i < n; i++) s += a[i] * 1e-3;
    }
    printf("%.4g %.4g\n", s, products());
    return 0;
}

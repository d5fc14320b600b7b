/* Assertions of sizes and counters leave nothing but conditions on the sizes; of data, a flag. */
extern void __assert_fail(const char *what, const char *file, unsigned line, const char *function);
#define assert(x) ((x) ? (void)(0) : __assert_fail(#x, __FILE__, __LINE__, __func__))

void affine(int n, int m, double *p) {
    for (int i = 0; i < n; i++) {
        assert(i < m);
        p[i] = i;
    }
    assert(p != 0);
    for (int i = 0; i < n; i++) p[i] += 1;
}

void positive(int n, const double *q, double *p) {
    for (int i = 0; i < n; i++) {
        assert(q[i] > 0);
        p[i] = 1 / q[i];
    }
}

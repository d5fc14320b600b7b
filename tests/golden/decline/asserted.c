/* Assertions behind which the loop might do harm, or which no call can pass. */
extern void __assert_fail(const char *what, const char *file, unsigned line, const char *function);
#define assert(x) ((x) ? (void)(0) : __assert_fail(#x, __FILE__, __LINE__, __func__))

void gather(int n, const int *from, const double *q, double *p) {
    for (int i = 0; i < n; i++) {
        int k = from[i];
        assert(k >= 0 && k < n);  // decline: this assertion cannot be part of a region
        p[i] = q[k];
    }
}

void never(int n, double *p) {
    for (int i = 0; i < n; i++) {
        assert(i < 0);  // decline: this assertion fails whatever the sizes are
        p[i] = i;
    }
}

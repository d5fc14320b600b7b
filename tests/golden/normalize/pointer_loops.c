/* A loop that counts by a pointer counts by a number, where both ends are places in one array, and nobody reads the
   pointer behind it. */
void up(int n, double *a, const double *b) {
    double *p;
    const double *q;
    for (p = a, q = b; p < a + n; p += 2, q++) *p = *q;
}
void down(unsigned n, float *a) {
    for (float *p = a + n - 1, *first = &a[2]; first <= p; p--) *p = p - a;
}
void to_its_end(double *x, long n) {
    const double *end = x + n;
    while (x != end) *x++ = 0;
}
void rows(int n, int m, int a[n][m]) {
    for (int i = 0; i < n; i++)
        for (int *p = a[i]; p < &a[i][m]; p++) *p += i;
}
/* These are left as they are. */
double *read_behind(int n, double *a) {
    double *p;
    for (p = a; p < a + n; p++) *p = 1;
    return p;
}
void two_arrays(double *p, double *end) {
    while (p < end) *p++ = 1;
}
void passes_by(double *a, int n) {
    for (double *p = a; p != a + n; p += 2) *p = 1;
}
void sometimes(double *a, int n) {
    for (double *p = a; p < a + n; p++)
        if (*p > 0) *p++ = 1;
}
void of_bytes(void *v, int n) {
    double *end = v + n;
    for (double *p = v; p < end; p++) *p = 1;
}

/* Loops that become one kernel: a directive of the first speaks for both, since the points are theirs together. */
void fused(int n, const double *a, double *b, double *c) {
#pragma rt merge(2)
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
    for (int j = 0; j < n; j++)
        c[j] = b[j] * 2;
}

/* A directive of the second speaks for both as well, and its counter is that of the first. */
void second(int n, const double *a, double *b, double *c) {
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
#pragma rt skew(j: 2)
    for (int j = 0; j < n; j++)
        c[j] = b[j] * 2;
}

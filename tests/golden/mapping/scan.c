/* Prefix sums: by a scalar, what it is made by running before; by the element before. A short one is one thread's. */
int offsets(int n, int *count) {
    int start = 0;
    for (int i = 0; i < n; i++) {
        int c = count[i];
        count[i] = start;
        start += c;
    }
    return start;
}

void add_up(int n, double *a) {
#pragma rt merge(16)
    for (int i = n - 2; i >= 0; i--)
        a[i] = a[i] + a[i + 1];
}

void short_and_long(int n, double a[n], double b[64]) {
    for (int i = 1; i < n; i++)
        a[i] *= 0.5;
    for (int i = 1; i < 64; i++)
        b[i] += b[i - 1];
}

/* A directive around two nests, of which one cannot have it: the message says which. */
void two(int n, double *a, double *b) {
#pragma rt merge(2)
    for (int t = 0; t < 10; t++) {
        for (int i = 1; i < n; i++)
            b[i] = a[i] + t;
        for (int i = 0; i < n; i += 2)
            a[i] += b[n - i - 1];
    }
}

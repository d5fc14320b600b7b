// Arrays that are handed on to a function: how long they are is said where they are handed over.
static void lower(int n, const int *first, const int *at, const double *r, double *z) {
    for (int i = 0; i < n; i++) {
        double s = r[i];
        for (int k = first[i]; k < first[i + 1]; k++)
            s -= r[at[k]];
        z[i] = s;
    }
}
#pragma rt shape(first: n + 1)
#pragma rt shape(at: m)
#pragma rt shape(r: n)
#pragma rt shape(z: n)
void solve(int n, int m, const int *first, const int *at, double *r, double *z, int steps) {
    for (int t = 0; t < steps; t++) {
        lower(n, first, at, r, z);
        for (int i = 0; i < n; i++)
            r[i] = 0.5 * (r[i] + z[i]);
    }
}

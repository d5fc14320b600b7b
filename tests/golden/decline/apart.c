/* Iterations that meet for the sizes that programs have: whatever else they are, too few iterations would be left. */
void pivot(int n, int m, double *a) {
    for (int i = 0; i < n; i++)  // decline: no loop here is parallel: iterations depend on each other through `a`
        a[i] = a[i] / a[m];
}

void waves(int n, int m, double *a) {
    for (int i = 2; i < n; i++)  // decline: no loop here is parallel: iterations depend on each other through `a`
        a[i] = a[i] * a[i - 1] + a[i - 2] + a[i + m];
}

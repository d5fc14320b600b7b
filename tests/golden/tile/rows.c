/* One dimension of points. Bodies that all others read; rows that neighbouring threads would read far apart. */
void pull(int n, float x[n], float mass[n], float v[n]) {
#pragma rt block(128)
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) {
            float d = x[j] - x[i];
            sum += mass[j] * d / (d * d + 0.25f);
        }
        v[i] += sum;
    }
}

void times_vector(int n, int m, double *a, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            y[i] += a[i * m + k] * x[k];
}

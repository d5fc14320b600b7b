// A step with a product that may be a call of a library, which the kernel of all steps does without: what the steps sum is
// still a value of every thread.
void power(int n, int steps, const int *start, const int *column, const double *value, double *x, double *y) {
    double norm = 1.0;
    int k = 0;
    while (norm > 1e-8 && k < steps) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int e = start[i]; e < start[i + 1]; e++)
                sum += value[e] * x[column[e]];
            y[i] = sum;
        }
        norm = 0.0;
        for (int i = 0; i < n; i++)
            norm += y[i] * y[i];
        for (int i = 0; i < n; i++)
            x[i] = y[i] / norm;
        k++;
    }
}

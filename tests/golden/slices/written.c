/* `value` changes at each step, and stays as it is; `column` is laid out. */
void decay(int n, int m, int steps, const int start[n + 1], const int column[m], double value[m], double x[n],
           double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i];
        for (int k = 0; k < m; k++)
            value[k] *= 0.5;
    }
}

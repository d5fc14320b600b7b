/* Rows that a loop of the host reads again and again: laid out in slices once. */
void smooth(int n, int m, int steps, const int start[n + 1], const int column[m], const double value[m], double x[n],
            double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = 2.0 * x[i] - sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = y[i] > 0.0 ? y[i] : 0.0;
    }
}

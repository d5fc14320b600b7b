/* Products with a sparse matrix: by rows the program chooses, a scatter by columns is called once that pays. */
void power(int n, int count, int steps, const int start[n + 1], const int column[count], const double value[count],
           double x[n], double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int j = 0; j < n; j++)
            for (int k = start[j]; k < start[j + 1]; k++)
                x[column[k]] -= 0.5 * value[k] * y[j];
    }
}

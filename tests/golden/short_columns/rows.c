/* Until a row's sums change little: who calls it says how large the matrix is. */
int damp(int n, int m, const int start[n + 1], const int column[m], const double value[m], double x[n], double y[n],
         double least, int most) {
    int steps = 0;
    double change = 2.0 * least;
    while (change > least && steps < most) {
        change = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
            change += sum * sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i];
        steps++;
    }
    return steps;
}

/* As many steps as asked for, in a loop around that changes the entries and leaves where they stand. */
void decay(int n, int m, int rounds, int steps, const long start[n + 1], const unsigned column[m], double value[m], double x[n],
           double y[n]) {
    for (int round = 0; round < rounds; round++) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n; i++) {
                double sum = 0.0;
                for (long k = start[i]; k < start[i + 1]; k++)
                    if (value[k] > 0.0)
                        sum += value[k] * x[column[k]];
                y[i] = sum;
            }
            for (int i = 0; i < n; i++)
                x[i] = 0.5 * y[i];
        }
        for (int k = 0; k < m; k++)
            value[k] *= 0.5;
    }
}

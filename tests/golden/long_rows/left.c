/* Left as they are: sums of which an entry sees what the entries before it made; an entry that depends on its row; rows of which
 * a loop of the host says how many; rows outside of such loops. */
void loops(int n, int m, int steps, const int start[n + 1], const int column[m], const double value[m], double x[n],
           double y[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum = 0.5 * sum + value[k] * x[column[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * (y[column[k]] - y[i]);
            x[i] = sum;
        }
        for (int i = 0; i < t; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
    }
}

void once(int n, int m, const int start[n + 1], const int column[m], const double value[m], const double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

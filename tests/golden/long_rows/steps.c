/* Rows that a loop of the host sums up again and again, and once before it: in two ways. Two sums of a row, one of them of some
 * entries alone; rows counted from 1. */
void smooth(int n, int m, int steps, const int start[n + 1], const int column[m], const double value[m], double x[n],
            double y[n], double z[n]) {
    for (int i = 1; i < n; i++) {
        double sum = x[i];
        for (int k = start[i]; k < start[i + 1]; k++)
            sum -= value[k] * x[column[k]];
        y[i] = sum;
    }
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++) {
            double sum = y[i], low = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++) {
                double part = value[k] * x[column[k]];
                sum += part;
                if (part < 0.0)
                    low -= part;
            }
            z[i] = 2.0 * sum + low;
        }
        for (int i = 0; i < n; i++)
            x[i] = z[i] > 0.0 ? z[i] : 0.0;
    }
}

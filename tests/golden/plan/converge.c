/* A loop of the host, the scalar that ends it, a temporary of the device. */
int converge(int n, double x[n], const double a[n][n]) {
    double change = 1;
    int steps = 0;
    while (change > 1e-8 && steps < 50) {
        double next[n];
        change = 0;
        for (int i = 0; i < n; i++) {
            next[i] = 0;
            for (int j = 0; j < n; j++)
                next[i] += a[i][j] * x[j];
        }
        for (int i = 0; i < n; i++) {
            change += (next[i] - x[i]) * (next[i] - x[i]);
            x[i] = next[i];
        }
        steps++;
    }
    return steps;
}

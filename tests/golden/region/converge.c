/* The host runs the loop that only the data end; scalars live where they are computed. */
int converge(int n, double tolerance, double *x, double *y) {
    int steps = 0;
    double change;
    do {
        change = 0;
        for (int i = 0; i < n; i++) {
            double next = 0.5 * (x[i] + y[i] / x[i]);
            change += (next - x[i]) * (next - x[i]);
            x[i] = next;
        }
        steps++;
        if (steps > 100)
            break;
    } while (change > tolerance);
    return steps;
}

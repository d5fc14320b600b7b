/* Launched step by step, the host itself looks whether the program was asked to end; of a do loop behind its first step. */
int converge(int n, double *x, double tol) {
    double most = 1;
    int steps = 0;
    do {
        most = 0;
        for (int i = 0; i < n; i++) {
            x[i] = 0.5 * x[i];
            most = most < x[i] ? x[i] : most;
        }
        steps++;
    } while (most > tol && steps < 50);
    return steps;
}

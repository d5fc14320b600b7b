/* Launched step by step, a loop looks every 8 steps at what ends it; a value that the host uses is fetched always. */
int converge(int n, double *x, double tol) {
    double most = 1;
    int steps = 0;
    while (most > tol && steps < 50) {
        most = 0;
        for (int i = 0; i < n; i++) {
            x[i] = 0.5 * x[i];
            most = most < x[i] ? x[i] : most;
        }
        steps++;
    }
    return steps;
}

double summed(int n, double *x, double tol) {
    double most = 1, all = 0;
    while (most > tol) {
        most = 0;
        for (int i = 0; i < n; i++) {
            x[i] = 0.5 * x[i];
            most = most < x[i] ? x[i] : most;
        }
        all += most;
    }
    return all;
}

/* Once the program is asked to, a loop that ends by what the device computes ends: the one inside it as well, a counted one not. */
int converge(int n, double *x, double *y) {
    double change = 1;
    int steps = 0;
    while (change > 1e-8) {
        int inner = 0;
        while (change > 1e-8 && inner < 50) {
            change = 0;
            for (int i = 1; i < n - 1; i++)
                y[i] = 0.5 * (x[i - 1] + x[i + 1]);
            for (int i = 1; i < n - 1; i++) {
                change += (y[i] - x[i]) * (y[i] - x[i]);
                x[i] = y[i];
            }
            inner++;
        }
        steps += inner;
    }
    return steps;
}

void counted(int n, int steps, double a[n], double b[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

/* Sweeps of an asynchronous iteration: a counted loop that hands on arrays alone waits in its first iteration and behind it. */
double sweeps(int most, int n, double tolerance, const double *b, double *x, double *y) {
    double left = tolerance + 1;
    for (int it = 0; it < most && left > tolerance; it++) {
        for (int sweep = 0; sweep < 8; sweep++) {
            for (int i = 1; i < n - 1; i++)
                y[i] = 0.25 * (b[i] + x[i - 1] + x[i + 1]);
            for (int i = 1; i < n - 1; i++)
                x[i] = y[i];
        }
        left = 0;
        for (int i = 1; i < n - 1; i++)
            left += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return left;
}

/* A sum that one iteration hands to the next: all its barriers stay. */
double summed(int n, double *x) {
    double sum = 0;
    for (int t = 0; t < 16; t++) {
        double next = 0;
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * x[i] + sum;
        for (int i = 0; i < n; i++)
            next += x[i];
        sum = 0.5 * next;
    }
    return sum;
}

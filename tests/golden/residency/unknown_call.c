/* One call of which nothing is known, in the time loop: pages are closed, but for what has none of its own. */
void log_step(int t);
void advance(int steps, int n, double *u, double *v, double **rows) {
    double local[4000];
    static float few[20];
    for (int i = 0; i < 4000; i++)
        local[i] = 0.5 * i;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            u[i] += v[i] * local[i % 4000];
        log_step(t);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 100; j++)
                rows[i][j] += v[i];
        log_step(-t);
        for (int k = 0; k < 20; k++)
            few[k] = t + k;
        log_step(few[3] > 7);
    }
}

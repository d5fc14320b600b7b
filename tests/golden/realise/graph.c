/* The same launches at every step: a graph, made once and replayed. */
void steps(int t_end, int n, double *a, double *b) {
#pragma rt region sync(graph)
    for (int t = 1; t <= t_end; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma rt end
}

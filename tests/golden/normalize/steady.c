/* A place that moves by a step that the loop does not change, a sign that turns, a place in a ring. */
double area(int n, double at, double step, const double *w, int mask) {
    double sign = 1, sum = 0;
    int from = 3;
    for (int i = 0; i < n; i++) {
        at += step;
        sign = -sign;
        from = (from + 1) & mask;
        sum = sum + sign * at * w[from];
    }
    return sum + at;
}

/* Its last digit decides, its step grows, nothing else reads it; the loop around is the host's. */
double left(int n, int m, double at, double step, double *x) {
    double grown = step, alone = 0, t = 0;
    for (int i = 0; i < n; i++) {
        at += step;
        x[i] = at < 1 ? 0 : 1;
    }
    for (int i = 0; i < n; i++) {
        at = at + grown;
        grown = 2 * grown;
        x[i] += at;
    }
    for (int i = 0; i < n; i++)
        alone = alone + step;
    for (int k = 0; k < m; k++) {
        t += step;
        for (int i = 0; i < n; i++)
            x[i] += t;
    }
    return alone;
}

double fabs(double);

// Where a value is no number, C takes it, and then the next: the loop runs again, if it can.
double greatest(int n, const double *a, double m) {
    for (int i = 0; i < n; i++) m = m > a[i] ? m : a[i];
    return m;
}

// Of the second run what the maximum is computed from is left: what an iteration stores is a variable of its.
double change(int n, double u[n][n], double v[n][n], double *sum) {
    double most = 0, x;
    int i, j;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            v[i][j] = 0.5 * (u[i - 1][j] + u[i + 1][j]);
            *sum += v[i][j];
            if (i == j) continue;
            x = fabs(v[i][j] - u[i][j]);
            if (u[i][j] != 0) x /= fabs(u[i][j]);
            most = most >= x ? most : x;
        }
    return most;
}

// An element, which is there if the loop has an iteration; rows of any length, whose loop is no more than an accumulation.
void elements(int n, const int *start, const float *a, float *low, float *high) {
    for (int i = 0; i < n; i++) *low = *low < a[i] ? *low : a[i];
    float m = *high;
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) m = m > a[k] ? m : a[k];
    *high = m;
}

// Not again: what it updates in place, what it reads before it sets it, and what an iteration leaves to the next.
double in_place(int n, double *u, double *v, const int *at) {
    double m = 0, last = 0;
    for (int i = 1; i < n - 1; i++) {
        double r = u[i - 1] + u[i + 1] - 2 * u[i];
        u[i] += 0.5 * r;
        m = m > fabs(r) ? m : fabs(r);
    }
    for (int i = 0; i < n; i++) {
        double old = v[i];
        v[i] = u[i];
        m = m > fabs(v[i] - old) ? m : fabs(v[i] - old);
    }
    for (int i = 0; i < n; i++) {
        if (at[i] > 0) last = u[i];
        m = m > fabs(last) ? m : fabs(last);
    }
    for (int i = 0; i < n; i++) {
        v[at[i]] = u[i];
        m = m > fabs(v[i]) ? m : fabs(v[i]);
    }
    for (int i = 0; i < n; i++) {
        v[i] = u[i];
        v[at[i]] = 0;
        m = m > fabs(v[i]) ? m : fabs(v[i]);
    }
    return m;
}

// Nor what takes no NaN, or is in order for its zeros; one that is left early is left there again.
double others(int n, const double *a, double b[n][n][8], double c[n][n], double m) {
    for (int i = 0; i < n; i++) m = fabs(a[i]) > m ? fabs(a[i]) : m;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double own = 0;
            for (int k = 0; k < 8; k++) own = own > b[y][x][k] ? own : b[y][x][k];
            c[y][x] = own;
        }
    for (int i = 0; i < n; i++) {
        if (a[i] == 7) break;
        m = m > fabs(a[i]) ? m : fabs(a[i]);
    }
    return m;
}

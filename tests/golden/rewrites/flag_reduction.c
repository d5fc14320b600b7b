int clip(int n, double *x, double t) {
    int changed = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > t) {
            x[i] = t;
            changed = 1;
        }
    return changed;
}

/* Another iteration reads it. */
int once(int n, double *x, double t) {
    int changed = 0;
    for (int i = 0; i < n; i++)
        if (!changed && x[i] > t)
            changed = 1;
    return changed;
}

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

int last_match(int n, const double *w, unsigned char *low) {
    int last = -1;
    unsigned char at = 0;
    for (int j = 0; j < n; j++) {
        if (w[j] > 0.5)
            last = j;
        if (w[j] < 0)
            at = j;
    }
    *low = at;
    return last;
}

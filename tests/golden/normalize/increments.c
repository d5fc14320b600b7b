/* Places that count on are counted in a statement of their own, and so the condition around is asked for each. */
int kept(int n, const double *x, double y[n]) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[k++] = x[i];
    return k;
}

/* Counted before, two at once, or a place that counts: as it is. */
void others(int n, const double *x, double y[n], int at[n]) {
    int k = 0, l = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 1)
            y[++k] = x[i];
        if (x[i] > 2)
            y[l++] = at[k++];
        if (x[i] > 3)
            y[at[i]++] = x[i];
    }
}

/* Outside of loops nothing is to be gained. */
int once(double y[2], double x) {
    int k = 0;
    y[k++] = x;
    return k;
}

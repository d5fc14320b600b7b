/* Variables that are set to one constant, or accumulated beside other things, under a condition on data. */
int flags(int n, double t, double *restrict x, double *restrict y) {
    int changed = 0, count = 0, sign = 0, found = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > t) {
            x[i] = t;
            changed = 1;
        } else if (x[i] < -t) {
            x[i] = -t;
            count++;
        }
    /* Left as they are: of two values, set whatever the data are, read in the loop, in a loop that is left. */
    for (int i = 0; i < n; i++) {
        if (y[i] > t) sign = 1;
        if (y[i] < t) sign = -1;
    }
    for (int i = 0; i < n; i++) {
        count = 3;
        if (y[i] > t && !found) { y[i] = t; found = 1; }
    }
    return changed + count + sign + found;
}

/* What follows a `continue` is no `else` where it may leave the loop. */
void left(int n, const int *c, const double *a, double *e) {
    for (int i = 0; i < n; i++) {
        if (c[i] < 0) {
            for (int k = 0; k < 3; k++)
                e[i] += a[k];
            continue;
        }
        for (int k = 0; k < 4; k++)
            e[i] += a[k];
        if (c[i] > 5)
            break;
        e[i] += 2;
    }
}

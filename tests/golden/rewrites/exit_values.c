int i, j;

int fill(int n, int m, double (*a)[m]) {
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] = 0;
    return i + j;
}

/* What each iteration sets afresh, read behind the loop: with constant bounds, and where there may be no iteration. */
void last_places(int n, float *p, const float *q) {
    int at, i, k;
    for (i = 0; i < n; i++) {
        for (k = 0; k < 16; k++) {
            at = i * 20 + k;
            p[at] = q[at];
        }
        p[at - 15] += 1;
    }
    for (k = 2; k < n; k++) {
        at = 3 * k;
        p[at] = 0;
    }
    p[at] = 1;
}

/* Read before it is set, set under a condition, and of what the body changes. */
void no_last_places(int n, float *p, int m) {
    int at = 0, other = 0, moved = 0;
    for (int k = 0; k < 16; k++) {
        p[at] = k;
        at = 2 * k;
    }
    p[at] = 1;
    for (int k = 0; k < 16; k++) {
        if (p[k] > n)
            other = k;
        moved = m + k;
        m = moved * 2;
    }
    p[other] = moved;
}

void turn(int n, int *p, const int *q) {
    int i, j;
    for (i = 0; i < n; i++) {
        j = p[i];
        p[i] = q[j];
        for (j = i + 1; j < n; j++)
            p[j] += 1;
    }
}

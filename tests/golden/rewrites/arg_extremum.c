int largest(int n, const double *x) {
    double best = -1;
    int at = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    return at;
}

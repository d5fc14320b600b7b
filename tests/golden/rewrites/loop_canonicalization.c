double sum(int n, const double *x) {
    double s = 0;
    int k = 0;
    while (k < n) {
        s += x[k];
        k++;
    }
    return s;
}

/* A `continue` passes the counting by. */
void odd(int n, double *x) {
    int k = 0;
    while (k < n) {
        if (x[k] > 0)
            continue;
        x[k] = 1;
        k++;
    }
}

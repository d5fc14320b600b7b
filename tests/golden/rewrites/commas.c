void f(int n, const double *x, const double *y, double *s, double *t) {
    int k = 0, l = 0;
    for (int i = 0; i < n; i++) *s += x[i], *t += y[i], k++;
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) k++, l += k;
        else l--, k = 0;
    }
    *s += k, *t += l;
}

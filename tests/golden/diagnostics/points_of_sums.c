/* The elements of a sum are dealt out in turns. */
double sum(int n, const double *a) {
    double s = 0;
#pragma rt skew(2)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

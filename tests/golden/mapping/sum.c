/* Each thread of a sum adds so many elements at least: there are fewer blocks. */
double sum(int n, const double *a) {
    double s = 0;
#pragma rt merge(8)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

/* A subscript from data may be any element, a condition on data may or may not write. */
void indirect(int n, const int p[n], const double x[n], double y[n]) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            y[p[i]] = x[i];
}

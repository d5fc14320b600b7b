/* The configuration speaks of all nests of a function. Those that cannot have what it asks for stay as they are, and a
 * warning tells of each. One point a thread is what they have anyway. */
double mixed(int n, double *a, double *b, double *c) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    for (int i = 0; i < n; i++)
        b[i] = a[i] * s;
    for (int i = 0; i < n; i += 3)
        c[i] = b[i] * s;
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1] * a[i - 1];
    return s;
}

void usual(int n, double *a) {
#pragma rt merge(1) skew(i: 1)
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

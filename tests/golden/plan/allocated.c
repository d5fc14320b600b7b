/* What only the data decide to touch: a copy takes no element of it that is not surely there. */
static double table[100];

void declared(int n, const double a[n], const double *c, double *b) {
    for (int i = 0; i < n; i++)
        b[i] = c[i] > 0 ? a[i + 1] : 0;
}

void fixed(int n, const double *c) {
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            table[i + 1] = c[i];
}

void product(int n, int m, const double a[n * m], double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (b[i] < 3)
                b[i] = a[(i + 1) * m + j];
}

void not_affine(int n, int m, const double a[n * m], const double f[n * m][4], double *b) {
    for (int i = 0; i < n; i++)
        b[i] = b[i] > 0 ? a[i + 1] : f[i + 1][2];
}

void stated(int n, const double *a, const double *c, double *b) {
#pragma rt shape(a: n + 1)
    for (int i = 0; i < n; i++) {
        b[i] = 0;
        if (c[i] > 0)
            b[i] = a[i + 1];
    }
}

void inside(int n, const double *a, double *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i + 1] > 0 ? a[i] : a[i - 1];
}

void by_size(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++)
        b[i] = a[i] + (i < n - 1 && i > 0 ? (a[i] > 0 ? a[i - 1] : a[i - 1] + a[i + 1]) : 0);
}

void either(int n, const double *a, const double *c, double *b) {
    for (int i = 0; i < n; i++) {
        if (c[i] > 0)
            b[i] = a[i];
        else
            b[i] = -a[i];
    }
}

void before(int n, const double *a, const double *c, double *b) {
    for (int i = 0; i < n; i++) {
        double x = a[i + 1];
        b[i] = c[i] > 0 ? x : a[i];
    }
}

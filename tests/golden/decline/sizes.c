/* Sizes that do not say what they seem to, and numbers that the device cannot be handed. */
void halved(int n, double a[n][n]) {  // decline: `a` is sized by `n`, which is changed after that
    n = n / 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 0;
}

static int extent = 8;

static void shrink(void) {
    extent = 4;
}

void elsewhere(double a[extent][extent]) {  // decline: `a` is sized by `extent`, which is changed after that
    shrink();
    for (int i = 0; i < extent; i++)
        for (int j = 0; j < extent; j++)
            a[i][j] = 0;
}

void rounded(int n, double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= (i - 8) / 4; j++)  // decline: a bound of this loop is divided below zero
            a[i] += 1;
}

void precise(int n, long double x, double *a) {
    for (int i = 0; i < n; i++)
        a[i] *= x;  // decline: `long double` is computed here
}

void watched(int n, double *a) {
    volatile int flag = 3;
    for (int i = 0; i < n; i++)
        a[i] += flag;  // decline: `flag` is volatile
}

double kept(int n, const double *a) {
    register double s = 0;  // decline: `s` is declared `register`, so that its address cannot be taken
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

void written(int *d, double *x) {
    for (int i = 0; i < d[0]; i++) {  // decline: this bound is not an affine expression
        x[i] = i;
        d[i] = i + 1;
    }
}

#pragma rt shape(a: n)
void later(int n, int m, double *a, const double *b) {
    for (int i = 9; i < m; i++)
        a[i - m] = b[i];  // decline: whenever this runs, subscript 1 leaves the shape that is stated for `a`
}

// Nearly operators. Before each function stands a part of what is said of it, or nothing where it is not that near.
// Called as those of operators.c.

// near: depend on another loop
void short_sum(int n, int m, int p, double alpha, double beta, double a[n][n], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < i; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// near: neither rows nor columns of `a`
void every_second(int n, int m, int p, double alpha, double beta, double a[n][p][2], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k][1] * b[k][j];
}

// near: goes by 2
void by_twos(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k += 2)
                c[i][j] += a[i][k] * b[k][j];
}

// near: does not begin at zero
void begins_at_one(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 1;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

// near: no sum of the result and the products
void plus_another(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s + 1;
        }
}

// near: no sum of the result and the products
void squared(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s * s;
        }
}

// near: of different types
void mixed(int n, int m, int p, double alpha, double beta, float a[n][p], float b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// near: in another type
void kept_in_double(int n, int m, int p, double alpha, double beta, float a[n][p], float b[p][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

// nothing
void scaled_in_double(int n, int m, int p, double alpha, double beta, float a[n][p], float b[p][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += alpha * (a[i][k] * b[k][j]);
}

// near: not floating-point numbers
void integers(int n, int m, int p, double alpha, double beta, int a[n][p], int b[p][m], int c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
}

// near: only one of the two factors
void one_factor_stays(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[i][j];
}

// near: one sum for each element
void dots(int n, int m, int p, double alpha, double beta, double a[n][p], double b[n][p], double *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p; k++)
            c[i] += a[i][k] * b[i][k];
}

// nothing
void guarded(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                if (k != i)
                    c[i][j] += a[i][k] * b[k][j];
}

// near: the elements of `a` do not lie
void diagonal(int n, int m, int p, double alpha, double beta, double *a, double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[(i + k) / 2] * b[k][j];
}

// near: neither rows nor columns of `a`
void hankel(int n, int m, int p, double alpha, double beta, double *a, double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i + k] * b[k][j];
}

// nothing
void three_factors(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j] * b[k][0];
}

// nothing
void sum_of_factors(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] + b[k][j];
}

// nothing
void two_products(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j] + a[i][k] * b[k][0];
}

// nothing
void shortest_paths(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                if (a[i][k] + b[k][j] < c[i][j])
                    c[i][j] = a[i][k] + b[k][j];
}

// nothing
void product_of_sums(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] *= a[i][k] * b[k][j];
}

// nothing
void quotient(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] / (b[k][j] + 100);
}

// nothing
void absolute(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += __builtin_fabs(a[i][k]) * b[k][j];
}

// nothing
void weighed_by_the_counter(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m],
                            double c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < p; k++)
                c[i][j] += k * a[i][k] * b[k][j];
}

// near: the elements of `b` do not lie
void indirect(int n, int m, int p, double alpha, double beta, double a[n][p], double b[p][m], double c[n][m]) {
    int at[] = {1, 0, 1, 1, 0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 5; k++)
                c[i][j] += a[i][k] * b[at[k]][j];
}

// nothing
void in_place(int n, int m, int p, double alpha, double beta, double a[n][n], double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] += 0.001 * a[i][k] * a[k][j];
}

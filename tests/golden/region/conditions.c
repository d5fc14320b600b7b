/* Conditions on data around several statements, and loops in other forms than `i < n`. */
void fluid(int n, int m, const int *solid, double f[9][n][m], double *most) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 0 || solid[i * m + j] > 2)
                continue;
            double rho = 0.0, first = f[0][i][j];
            for (int q = 1; q < 9; q++)
                rho += f[q][i - 1][j];
            rho = rho / 9.0;
            f[0][i][j] = rho - first;
        }
}

void either(int n, const int *kind, double a[n][4]) {
    for (int i = 0; i < n; i++)
        if (kind[i]) {
            for (int k = 0; k < 4; k++)
                a[i][k] = 0.0;
        } else {
            for (int k = 1; k + 1 < 4; k++)
                a[i][k] += 1.0;
        }
}

void done(int n, const int *kind, double a[n][4]) {
    for (int i = 0; i < n; i++) {
        if (kind[i] == 0) {
            for (int k = 0; k < 4; k++)
                a[i][k] = 0.0;
            continue;
        }
        double sum = 0.0;
        for (int k = 0; k < 4; k++)
            sum += a[i][k];
        a[i][0] = sum;
    }
}

static int least(int a, int b) { return a < b ? a : b; }

void forms(int n, int m, double *a) {
    for (int i = 0; i + m <= n; i++)
        a[i] = 1.0;
    for (int i = n; 2 * i > m; i--)
        a[i] = 2.0;
    for (int i = n > m ? n - m : 1; i < least(n, m + 8); i++)
        a[i] = 3.0;
    for (int i = 0; i < n * m; i++)
        a[i] = n / 2;
}

/* Few rows, however long: blocks share the loop of each where a call is such. */
void rows(int m, int n, float a[m][n], float s[m]) {
    for (int r = 0; r < m; r++) {
        float t = 1.0f;
        for (int i = 0; i < n; i++)
            t = t > a[r][i] ? t : a[r][i];
        s[r] = t;
    }
}

/* Sums of sums: whoever adds the rows up has each row's partial results. */
double grand(long n, double *x) {
    double all = 0;
    for (int r = 0; r < 6; r++) {
        double s = 0;
        for (long i = 0; i < n; i++) {
            double y = x[i] * r;
            s += y * y;
        }
        all += s;
    }
    return all;
}

/* Two loops make nine elements, and all sizes are known. */
void gram(double a[1000000][3], double c[3][3]) {
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            double s = 0;
            for (int i = 0; i < 1000000; i++)
                s += a[i][p] * a[i][q];
            c[p][q] = s;
        }
}

/* Rows are as many as they are long. */
void square(int n, double a[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
}

/* The second loop needs what the first gives. */
void in_turn(int m, int n, double a[m][n], double v[m]) {
    for (int r = 0; r < m; r++) {
        double mean = 0, s = 0;
        for (int i = 0; i < n; i++)
            mean += a[r][i];
        for (int i = 0; i < n; i++)
            s += (a[r][i] - mean / n) * (a[r][i] - mean / n);
        v[r] = s;
    }
}

/* The loop writes what is no sum. */
void scaled(int m, int n, double a[m][n], double v[m]) {
    for (int r = 0; r < m; r++)
        for (int i = 0; i < n; i++) {
            v[r] += a[r][i];
            a[r][i] = a[r][i] / 2;
        }
}

/* Elements enough, and no iterations that blocks could share. */
void many(double a[500000][70], double v[500000]) {
    for (int r = 0; r < 500000; r++)
        for (int i = 0; i < 70; i++)
            v[r] += a[r][i];
}

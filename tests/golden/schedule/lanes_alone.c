/* Only the data know how long the loop is: often a few iterations. */
void sparse(int n, int size, int start[n + 1], int column[size], double value[size], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

/* Too short to share. */
void few(int n, double a[n][9], double y[n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 9; k++)
            y[i] += a[i][k];
}

/* The user says how many threads, of one dimension. */
void asked(int n, double a[n][n], double y[n]) {
#pragma rt block(128)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            y[i] += a[i][k];
}

/* The sum is used while it grows. */
void running(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += a[i][k];
            b[i][k] = sum;
        }
    }
}

/* The element that accumulates moves with the loop. */
void moving(int n, double a[n][n], double y[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n - 1; k++)
                y[i][k % 2] += a[j][k] * a[i][k];
}

/* So many columns keep a GPU busy as they are. */
void wide(double a[64][1 << 19], double y[1 << 19]) {
    for (int j = 0; j < 1 << 19; j++)
        for (int k = 0; k < 64; k++)
            y[j] += a[k][j];
}

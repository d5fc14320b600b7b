/* Rows of an array that the program lays out itself: a limit holds the column to its row, whatever else ends the loop. */
void until(int n, int m, double *x, const double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m && y[i * m + j] > 0; j++)
            x[i * m + j] += 1;
}

void by_size(int n, int m, int s, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += s)
            x[i * m + j] += j;
}

void doubled(int n, int m, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j *= 2)
            x[i * m + j] += 3;
}

void sorted(int n, int m, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            double v = x[i * m + j];
            int k = j - 1;
            while (k >= 0 && x[i * m + k] > v) {
                x[i * m + k + 1] = x[i * m + k];
                k--;
            }
            x[i * m + k + 1] = v;
        }
}

/* Nothing holds the column: the data may lead to the next row. */
void not_held(int n, int m, double *x, const double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; y[j] > 0; j++)
            x[i * m + j] += 1;
}

/* Rows never meet, whatever the data say of their columns: C keeps a subscript to its row. */
void until(int n, int m, double (*x)[m], double (*y)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m && y[i][j] > 0; j++)
            x[i][j] += 1;
}

void by_counter(int n, int m, double (*x)[m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j += i)
            x[i][j] += j;
}

void doubled(int n, int m, double (*x)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j *= 2)
            x[i][j] += 3;
}

void again(int n, int m, double (*x)[m], double (*y)[m]) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        do {
            x[i][j] = y[i][j];
            j += 1 + (y[i][j] > 7);
        } while (j < m);
    }
}

void sorted(int n, int m, double (*x)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            double v = x[i][j];
            int k = j - 1;
            while (k >= 0 && x[i][k] > v) {
                x[i][k + 1] = x[i][k];
                k--;
            }
            x[i][k + 1] = v;
        }
}

/* The columns change places in each row. */
void scattered(int n, int m, double (*x)[m], double (*y)[m], const int *c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            x[i][c[k]] = y[i][k];
}

/* Along the first row the data may go through all of them. */
void along(int n, int m, double (*x)[m], const int *c) {
    for (int i = 0; i < n; i++) {
        x[0][c[i]] = i;
        x[i][0] = 2;
    }
}

/* Blocks as they are asked for; a sum takes them all as one dimension. */
void line(int n, double *a) {
#pragma rt block(128)
    for (int i = 0; i < n; i++)
        a[i] += 1;
}

void plane(int n, int m, double a[n][m]) {
#pragma rt block(64, 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
}

double sum(int n, int m, double a[n][m]) {
    double s = 0;
#pragma rt block(64, 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}

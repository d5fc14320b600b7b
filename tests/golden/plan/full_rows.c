/* What goes out must have come in where rows keep elements as they were; where they are full, nothing has to. */
void fill(int n, int m, double a[100][90]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i + j;
}

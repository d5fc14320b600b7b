/* Apart for each i, the row would have n * m elements where all other data have n or m. */
void smooth(int n, int m, double x[n], double row[m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            row[j] = 1.0 / (1.0 + i + j);
        for (int j = 1; j < m; j++)
            x[i] += row[j] * row[j - 1];
    }
}

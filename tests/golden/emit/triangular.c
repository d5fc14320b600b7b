/* The thread keeps the element that its loop updates, though the loop reads the same array. */
void triangular(int n, const double l[n][n], double b[n][n]) {
#pragma rt block(64)
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k++)
                b[i][j] += l[k][i] * b[k][j];
}

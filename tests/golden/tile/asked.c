/* Blocks that the user asks for are used as they are: a thread has as many points as make up the tile. */
void asked(int n, double a[n][n], double b[n][n], double c[n][n]) {
#pragma rt block(32, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}

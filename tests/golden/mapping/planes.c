/* Cubes of doubles: points of a thread go far along the first axis, and blocks with taps in loops have half the threads. Of
   three arrays, and of floats, blocks are the usual ones. */
void seven(int n, double u[n][n][n], double v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] = u[i][j][k] + u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] +
                             u[i][j][k + 1];
}
void many(int n, double u[n][n][n], double weight[3][3][3], double v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                double sum = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int r = 0; r < 3; r++)
                            sum += weight[p][q][r] * u[i + p - 1][j + q - 1][k + r - 1];
                v[i][j][k] = sum;
            }
}
void waves(int n, double u[n][n][n], double w[n][n][n], double v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] = w[i][j][k] + u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k];
}
void singles(int n, float u[n][n][n], float v[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] = u[i][j][k] + u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k];
}

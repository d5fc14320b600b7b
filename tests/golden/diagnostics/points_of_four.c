/* The outermost of four parallel loops runs around the points. */
void four(int n, double a[n][n][n][n]) {
#pragma rt merge(i: 4, l: 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    a[i][j][k][l] = 1;
}

/* Sizes in arrays: the call is made only where the program reads what it hands over, and tests where that lies. */
static int grid[3];

void stencil(double u[9][9], double v[9][9]) {
    for (int i = 1; i < grid[0] - 1; i++)
        for (int j = 1; j < grid[1] - 1; j++)
            v[i][j] = u[i - 1][j] + u[i][j + 1];
}

void map(int d[3], int *to) {
    for (int k = 0; k < d[2]; k++)
        for (int j = 0; j < d[1]; j++)
            if (j < d[0])
                to[k * d[1] + j] = j;
}

void both(int *d, double *x) {
    int n = d[0];
    for (int i = 0; i < n; i++)
        x[i] = i;
    d[1] = 5;
    for (int i = 0; i < d[1]; i++)
        x[i] += 1;
}

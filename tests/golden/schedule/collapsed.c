/* Axes of a few known iterations, and more axes than a grid has dimensions, share a dimension. */
void vectors(int n, double (*v)[3], double (*f)[3]) {
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            v[i][d] += 0.1 * f[i][d];
}

void components(int n, double (*v)[n]) {
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < n; i++)
            v[d][i] *= 0.5;
}

void tensors(int n, float (*a)[3][3], float (*b)[3][3]) {
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            for (int e = 0; e < 3; e++)
                b[i][d][e] = a[i][e][d];
}

void field(int n, double (*u)[n][n][4]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int q = 0; q < 4; q++)
                    u[i][j][k][q] = i + j + k + q;
}

/* Not a box: the inner loop ends where the outer one says. */
void triangle(int n, double (*v)[8]) {
    for (int i = 0; i < 8; i++)
        for (int d = 0; d < i; d++)
            v[i][d] = n;
}

/* Who asks for points of an axis has dimensions of their own in mind. */
void asked(int n, double (*v)[3]) {
#pragma rt merge(i: 2)
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            v[i][d] = 1;
}

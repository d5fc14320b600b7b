double *in[4], *out[4];

void copy(int n, int g) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            out[g][j * n + i] = in[g][j * n + i];
}

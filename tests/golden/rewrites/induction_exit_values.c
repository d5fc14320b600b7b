int pack(int n, int m, double *out, double (*in)[m]) {
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[k++] = in[i][j];
    return k;
}

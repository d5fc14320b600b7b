#define MIN(a, b) ((a) < (b) ? (a) : (b))

void transpose(int n, int t, double (*a)[n], double (*b)[n]) {
    for (int ii = 0; ii < n; ii += t)
        for (int jj = 0; jj < n; jj += t)
            for (int i = ii; i < MIN(ii + t, n); i++)
                for (int j = jj; j < MIN(jj + t, n); j++)
                    b[j][i] = a[i][j];
}

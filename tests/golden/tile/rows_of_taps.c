/* A loop of the point leads along memory, and one along the other axis: a row is loaded once for all points of a thread. */
void rows_of_taps(int n, int m, const float a[n + 2][m + 2], const float w[3][3], float b[n][m]) {
#pragma rt skew(i: 2, j: 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    s += w[p][q] * a[i + p][j + q];
            b[i][j] = s;
        }
}

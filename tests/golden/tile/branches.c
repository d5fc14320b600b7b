/* What both branches of a condition assign is one value that it chooses, and stored together by neighbours. */
void clamped(int n, int m, unsigned char a[n][m], unsigned char b[n][m], int least) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int v = 2 * a[i][j];
            if (v > 255)
                v = 255;
            if (a[i][j] % 2 == 0)
                b[i][j] = v;
            else
                b[i][j] = a[i][j] > 9 ? 255 : 0;
        }
}

/* Not where the choice would be of a type that neither value has, or where what is stored decides. */
void apart(int n, int m, unsigned a[n][m], int b[n][m], double c[n][m], double d[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            if (a[i][j] % 2 == 0)
                c[i][j] = a[i][j];
            else
                c[i][j] = b[i][j];
            if (c[i][j] > 1) {
                c[i][j] = 0;
                d[i][j] = 1;
            } else {
                c[i][j] = 2;
                d[i][j] = 3;
            }
        }
}

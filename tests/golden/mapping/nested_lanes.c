/* Scores whose maximum is wanted: lanes go through the loop over positions together, and join each product. */
void scores(int n, int heads, int d, float q[n][heads][d], float k[n][heads][d], float s[n][heads][n], float most[n][heads]) {
    for (int i = 0; i < n; i++)
        for (int h = 0; h < heads; h++) {
            float greatest = -1e30f;
            for (int j = 0; j <= i; j++) {
                float dot = 0;
                for (int x = 0; x < d; x++) dot += q[i][h][x] * k[j][h][x];
                if (dot > greatest) greatest = dot;
                s[i][h][j] = dot;
            }
            most[i][h] = greatest;
        }
}

/* What one iteration stores the next loads: one thread has it all. */
void handed(int n, int m, int d, float q[n][m][d], float s[n][m][d]) {
    for (int i = 0; i < n; i++)
        for (int h = 0; h < m; h++)
            for (int j = 1; j < d; j++) {
                float dot = 0;
                for (int x = 0; x < d; x++) dot += q[i][h][x] * s[i][h][j - 1];
                s[i][h][j] = dot;
            }
}

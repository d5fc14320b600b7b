/* Arrays declared beside a scalar of the host's, in a block between loops: they are the device's alone. */
double u[64][64], v[64][64];

void faces(int n, int m)
{
#pragma omp parallel
    {
        int i, j;
        double weight, edge[2][64], temp[5];
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                v[i][j] = 0.25 * u[i][j];
        i = 1;
        for (j = 0; j < m; j++) {
            edge[0][j] = v[i][j];
            edge[1][j] = v[i + 1][j];
        }
        weight = 0.125;
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++)
                u[i][j] = weight * (edge[0][j] + edge[1][j]) + i;
        weight = 0.5;
        for (i = 0; i < n; i++) {
            for (j = 0; j < 5; j++)
                temp[j] = weight * u[i][j] + j;
            for (j = 0; j < 5; j++)
                v[i][j] = temp[4 - j];
        }
    }
}

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            u[i][j] = i + 0.5 * j;
    faces(60, 50);
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            sum += u[i][j] * (1 + j) + v[i][j];
    return sum > 1e30;
}

/* Elements that the data choose: updated in copies of a block where nothing else gets at them and their number is known. */
void few(long n, const unsigned char *restrict key, int h[256]) {
    for (long i = 0; i < n; i++)
        h[key[i]]++;
}

void planes(int n, int m, int p, int q, const short row[n][m], const short col[n][m], const float w[n][m], float h[p][q]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (w[i][j] > 0)
                h[row[i][j]][col[i][j]] += w[i][j];
}

void many(int n, const int key[n], double h[20000]) {
    for (int i = 0; i < n; i++)
        h[key[i]] += 0.5;
}

void too_many(int n, const int key[n], int h[1000000]) {
    for (int i = 0; i < n; i++)
        h[key[i]]++;
}

void bytes(int n, int nb, const int key[n], unsigned char h[nb]) {
    for (int i = 0; i < n; i++)
        h[key[i]]++;
}

void rows(int n, int m, int nb, const int start[n + 1], const int key[m], int h[nb]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
#pragma omp atomic
            h[key[k]]++;
        }
}

void with_sum(int n, int nb, const int key[n], const double x[n], double h[nb], double *restrict all) {
    for (int i = 0; i < n; i++) {
        h[key[i]] += x[i];
        all[0] += x[i];
    }
}

void triangle(int n, int nb, const int key[n][n], int h[nb]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            h[key[i][j]]++;
}

void steps(int t, int n, int nb, const int key[n], int h[nb], int x[n]) {
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            x[i] += s;
        for (int i = 0; i < n; i++)
            h[(key[i] + x[i]) % nb]++;
    }
}

#pragma rt shape(h: nb)
void stated(int n, int nb, const int *restrict key, int *restrict h) {
#pragma rt block(128)
    for (int i = 0; i < n; i++)
        h[key[i]] ^= i;
}

/* What threads do one after the other is an update that they may make at once: behind an early end of the iteration, under
   a condition, in a loop that the data bound. */
void histogram(int n, int nb, const int key[n], int h[nb]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int b = key[i];
        if (b < 0 || b >= nb)
            continue;
#pragma omp atomic
        h[b]++;
    }
}

void most(int n, int nb, const int key[n], const double x[n], double best[nb], int count[nb]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (key[i] >= 0) {
#pragma omp critical
            {
                if (x[i] > best[key[i]])
                    best[key[i]] = x[i];
                count[key[i]] += 1;
            }
        }
}

void scattered(int n, int m, const int start[n + 1], const int col[m], const double x[n], double y[n]) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            if (col[k] != i) {
#pragma acc atomic update
                y[col[k]] += x[i];
            }
}

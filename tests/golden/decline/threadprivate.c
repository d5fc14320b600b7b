/* Arrays that OpenMP gives each thread, and C has once. */
static double work[50], table[50];
#pragma omp threadprivate(work, table)

void filled(int n, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: each iteration fills `work`, of which each thread has a copy, says `#pragma omp threadprivate` on line 3
        for (int k = 0; k < 50; k++)
            work[k] = x[i] * k;
        y[i] = 0;
        for (int k = 0; k < 50; k++)
            y[i] += work[k] * work[49 - k];
    }
}

/* Declared in the loop it is each iteration's. */
void own(int n, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double work[50];
        for (int k = 0; k < 50; k++)
            work[k] = x[i] * k;
        y[i] = 0;
        for (int k = 0; k < 50; k++)
            y[i] += work[k] * work[49 - k];
    }
}

/* Only read. */
void read(int n, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = x[i] * table[i % 50];
}

/* A bound that sizes choose is a size; one that data or counters choose is none. */
void by_size(int wide, int n, int m, double *x) {
    for (int i = 0; i < (wide ? n : m + 1) + 2; i++) x[i] = 0;
}
void by_counter(int n, int m, double *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < (i == 0 ? n : 2 * m); j++) x[i * n + j] = 0;
}
void by_data(int n, int m, double *x) {
    for (int i = 0; i < (x[0] > 0 ? n : m); i++) x[i] = 0;
}

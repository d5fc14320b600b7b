/* Several variables in a head: what else is set stands before the loop, a variable that follows from the counter is that,
   and another moves at the end of the body. */
double sum(int n, const double *a) {
    double s;
    int i;
    for (i = 0, s = 0; i < n; i++) s += a[i];
    return s;
}
void reversed(int n, const double *a, double *b) {
    for (int i = 0, j = n - 1; i < n; i++, j--) b[i] = a[j];
}
void strided(int n, const double *a, double *b) {
    int i, j, k;
    for (i = n - 1, j = 5, k = 0; i >= 0; i--, j += 3, k++) b[k] = a[j];
}
/* Read behind the loop, so that it moves in it; and a `continue`, which would leave that out. */
int behind(int n, const double *a, double *b) {
    int i, j;
    for (i = 0, j = 1; i < n; i++, j += 2) b[i] = a[j];
    return j;
}
void leaves(int n, const double *a, double *b, int *last) {
    int i, j;
    for (i = 0, j = 1; i < n; i++, j += 2) {
        if (a[i] < 0) continue;
        b[i] = a[j];
    }
    *last = j;
}
/* What it begins with moves, too. */
void moves(int n, int k, const double *a, double *b) {
    int i, j;
    for (i = 0, j = k; i < n; i++, j++, k += 2) b[i] = a[j] + k;
}

void product(int n, double (*a)[n], double (*b)[n], double (*c)[n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double f = a[i][k];
            for (int j = 0; j < n; j++)
                c[i][j] += f * b[k][j];
        }
}

/* It changes before its last use. */
void shifted(int n, double *a, double *b) {
    for (int i = 1; i < n; i++) {
        double f = a[i];
        a[i] = b[i];
        b[i] = f;
    }
}

/* The length of a row is kept beside the array, and is no loop's bound. */
struct matrix { int ny; double *data; };
void interior(struct matrix *x, struct matrix *y, int n, int lo, int hi) {
    int i, j, at, by;
    for (i = 0; i < n; i++)
        for (j = lo; j < hi; j++) {
            at = i * x->ny + j;
            by = i * y->ny + j;
            x->data[at] = 2 * x->data[at] + y->data[by];
        }
}

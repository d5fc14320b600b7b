/* Data that a region cannot hold. */
struct point { double x; float y; };
struct flags { double x; unsigned is_set : 1; };

void of_structures(int n, struct flags *p) {
    for (int i = 0; i < n; i++)
        p[i].x = 0;  // decline: this is a member of a structure in an array
}

void of_two_types(int n, struct point *p[4]) {
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++)  // decline: members of two types are written here
            p[j][i].x = 0, p[j][i].y = 1;
}

void of_tables(int n, double *(*a)[8]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            a[i][j][0] = 0;  // decline: `a` has pointers behind rows of its own
}

void moved_rows(int n, double **a, double **b) {
    for (int i = 0; i < n; i++)
        a[i] = b[n - 1 - i];  // decline: a row of `a` is given another place here
}

void unsure_rows(int n, double ***a, const int *c, double *s) {
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            s[i] = a[i][0][0];  // decline: only the data decide whether `a[i][0][0]` is touched
}

void too_precise(int n, long double *a) {
    for (int i = 0; i < n; i++)
        a[i] = 1;  // decline: `a` is of `long double`, which a GPU does not have
}

void changing(int n, volatile double *a) {
    for (int i = 0; i < n; i++)
        a[i] = 1;  // decline: this is a volatile object
}

void until_it_ends(int n, const int *p, double *x, double *y) {  // decline: how much of `x` is used cannot be seen from its subscripts
    double rest = 1;
    while (rest > 0.5) {
        rest = 0;
        for (int i = 0; i < n; i++) {
            y[i] = 0.5 * y[i] + x[p[i]];
            rest += y[i];
        }
    }
}

void moving(int n, double *a, const double *b) {
    for (int i = 0; i < n; i++)
        if (b[i] > 0) *a++ = i;  // decline: this element is reached in a way that is not modelled
}

void addresses(int n, double *a, double **p) {
    for (int i = 0; i < n; i++)
        p[i] = &a[i];  // decline: an address is taken here
}

void remembering(int n, double *a) {
    for (int i = 0; i < n; i++) {
        static int calls;  // decline: a static variable is declared here
        calls++;
        a[i] = calls;
    }
}

int printf(const char *format, ...);

/* Each element would be fetched by itself. */
void prints_all(int n, int steps, double *a) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 1;
        for (int i = 0; i < n; i++)
            printf("%g\n", a[i]);  // decline: `printf` cannot be called on the device
    }
}

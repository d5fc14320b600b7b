// Elements before a pointer: those that a nest surely touches, and no others.
void row(const double *u, double *r, int n) {
    for (int i = 0; i < n; i++)
        r[i] = u[i - 2] + u[i];
}

void planes(const double *u, double *r, int n, int pencil, int plane) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            int at = i + k * plane;
            r[at] = u[at - plane] + u[at - pencil] + u[at - 1];
        }
}

void directed(const double *u, double *r, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        r[i] = u[i - 1];
}

void ghosts(double *u, int g, int n) {
    for (int i = -g; i < n + g; i++)
        u[i] = 0;
}

/* No value of `u[i - 1]` is read where i is 0, and none of `r[first - 1]` is surely one before `r`. */
void guarded(const double *u, double *r, int first, int n) {
    for (int i = 0; i < n; i++) {
        if (i > 0)
            r[i + first - 1] = u[i - 1];
        else
            r[i + first] = 1;
    }
}

/* The distance changes in a loop around, or the pointer does. */
double moving(const double *u, const int *far, int n) {
    double sum = 0;
    for (int b = 0; b < 3; b++) {
        int by = far[b];
        for (int i = 0; i < n; i++)
            sum += u[i - by];
    }
    return sum;
}

void in_turns(double *u, double *v, int n) {
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < n; i++)
            v[i] = u[i - 1];
        double *w = u;
        u = v;
        v = w;
    }
}

/* From the middle of a table, as far back as bytes lead; from its beginning, nothing is subtracted but a number. */
void looked_up(const unsigned char *u, const int *table, int *r, int n) {
    for (int i = 1; i < n; i++) {
        int before = u[i - 1];
        r[i] = table[u[i] - before];
    }
}

void counted(const unsigned char *u, const int *table, int *r, int n) {
    for (int i = 0; i < n; i++)
        r[i] = table[u[i] - 32];
}

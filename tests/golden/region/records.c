/* An array of structures is an array of the numbers in them, if all are of one type and reached by subscripts. */
struct fluid { float rho, v[3]; };
struct mass { double m; int kind; };

void flow(int n, int m, struct fluid f[n][m], float *total) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 3; k++)
                f[i][j].v[k] = f[0][j].rho * k;
    for (int i = 0; i < n; i++)
        *total += f[i][0].rho;
}

/* One structure behind a pointer may be an element: the call shows it. */
void pull(int n, struct fluid *f, const struct fluid *to) {
    for (int i = 0; i < n; i++)
        f[i].rho += to->rho;
}

/* A structure by itself. */
void spread(int n, struct fluid *f, struct fluid one) {
    for (int i = 0; i < n; i++)
        f[i].rho += one.rho;
}

void weigh(int n, struct mass *p) {
    for (int i = 0; i < n; i++)
        p[i].m = i;
}

/* What a time loop prints: elements are fetched when they are due, numbers of the host are at hand. */
int printf(const char *format, ...);
typedef struct stream stream;
extern stream *stdout, *stderr;
int fprintf(stream *to, const char *format, ...);
int fflush(stream *of);
double sqrt(double);

void due(int n, int steps, double *u, double *v) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        if (t % 100 == 0)
            fprintf(stderr, "%d: %g %g\n", t, u[n / 2], u[0]);
    }
}

void turns(int n, int steps, double *u, double *v) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        double *w = u;
        u = v;
        v = w;
        if (t % 8 == 0)
            printf("%g\n", u[1]);
    }
}

int residual(int n, double x[n], double y[n], double limit) {
    int count = 0;
    double sum = 1.0;
    while (sum > limit) {
        sum = 0.0;
        for (int i = 0; i < n; i++) {
            y[i] = 0.5 * x[i];
            sum += y[i] * y[i];
        }
        for (int i = 0; i < n; i++)
            x[i] = y[i];
        count++;
        if (count % 10 == 0) {
            (void)printf("after %d: %g\n", count, sqrt(sum / n));
            fflush(stdout);
        }
    }
    return count;
}

void rows(int n, int steps, double **a) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                a[i][j] *= 2;
        printf("%g %g\n", a[1][n - 1], a[0][0]);
    }
}

int printf(const char *, ...);
void exit(int);
int debug;
int f(int n, int m, double *a, int trace, int at) {
    for (int i = 0; i < n; i++) {
        if (a[i] != a[i]) {
            printf("lost %d\n", i);
            exit(1);
        }
        if (trace) printf("between loops: not of a flag\n");
        for (int j = 0; j < m; j++) {
            a[i] += j;
            if (debug > 1 && j == at && trace) printf("%d %g\n", j, a[i]);
            if (j > n) printf("decided by data\n");
        }
        if (a[i] > 0)
            a[i] = -a[i];
        else {
            printf("not positive\n");
            return 1;
        }
    }
    return 0;
}

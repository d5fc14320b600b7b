/* What is printed in a loop of the host is made of numbers. */
int printf(const char *format, ...);

void names(int n, int steps, double *a, const char *name) {
#pragma rt region
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 1;
        printf("%s\n", name);  // decline: what is printed here, in a loop of the host
    }
#pragma rt end
}

void perhaps(int n, int steps, double *a, int k) {
#pragma rt region
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 1;
        printf("%g\n", k < n ? a[k] : 0.0);  // decline: what is printed here, in a loop of the host
    }
#pragma rt end
}

void others(int n, int steps, double *a, const double *b) {
#pragma rt region
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 1;
        printf("%g\n", b[0]);  // decline: `b` is printed here, and no loop of the region deals with it
    }
#pragma rt end
}

/* Loops that end the program, or leave their function with a word on it, or print where a flag says so. The argument says
   which of them does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int debug, verbose = 1;

static void flagged(int n, int m, const double *restrict x, double *restrict out, int trace, int at) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) {
            s += x[j] * i;
            if (trace && i == at) printf("%d %g\n", j, s);
            if (debug > 1 && verbose) {
                printf("more %g\n", x[j]);
                fflush(stdout);
            }
        }
        out[i] = s;
    }
}

static void ended(int n, double *x) {
    for (int i = 0; i < n; i++) {
        if (x[i] < 0) {
            fprintf(stderr, "negative: %g\n", x[i]);
            exit(3);
        }
        x[i] = sqrt(x[i]);
    }
}

static int left(int n, double *x) {
    for (int i = 0; i < n; i++) {
        if (x[i] >= 0) {
            x[i] = sqrt(x[i]);
        } else {
            printf("negative at %d\n", i);
            return -1;
        }
    }
    return 0;
}

static void steps(int n, int t_end, double *restrict x, double *restrict y) {
    for (int t = 0; t < t_end; t++) {
        double most = 0;
        for (int i = 0; i < n; i++) {
            y[i] = 0.5 * (x[i] + 1);
            most = fmax(most, fabs(y[i]));
        }
        if (most > 1e30) {
            printf("diverged at %d\n", t);
            exit(2);
        }
        for (int i = 0; i < n; i++) x[i] = y[i];
    }
}

int main(int argc, char **argv) {
    int number = argc > 1 ? atoi(argv[1]) : 0, n = 60, m = 7;
    double x[60], y[60];
    for (int i = 0; i < n; i++) x[i] = i % 17 * .1;
    if (number == 2) debug = 2;
    flagged(n, m, x, y, number == 1, 3);
    if (number == 3) x[50] = -1;
    ended(n, x);
    if (number == 4) x[40] = -1;
    if (left(n, x) < 0) printf("left\n");
    if (number == 5) x[7] = 1e300;
    steps(n, 10, x, y);
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] + y[i];
    printf("%.6g\n", s);
    return 0;
}

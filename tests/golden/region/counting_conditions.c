/* Conditions of time loops that count: the host does what they assign in the order of C. */
#include <math.h>

struct options {
    int most;
    double tolerance;
};

int counted_last(int n, double eps, double *x, double *y) {
    int it = 0;
    double d;
    do {
        d = 0;
        for (int i = 0; i < n; i++) {
            d += fabs(y[i] - 0.5 * x[i]);
            x[i] = 0.5 * x[i] + y[i];
        }
    } while (d > eps && ++it < 400);
    return it;
}

int counted_before(int n, double eps, double *x, double *y) {
    int it = 0;
    double d = 1;
    while (d > eps && it++ < 400) {
        d = 0;
        for (int i = 0; i < n; i++) {
            d += fabs(y[i] - 0.5 * x[i]);
            x[i] = 0.5 * x[i] + y[i];
        }
    }
    return it;
}

int left(int n, double eps, double *x, double *y) {
    int it = 0;
    double d;
    for (;;) {
        d = 0;
        for (int i = 0; i < n; i++) {
            d += fabs(y[i] - 0.5 * x[i]);
            x[i] = 0.5 * x[i] + y[i];
        }
        if (d < eps || ++it >= 400)
            break;
    }
    return it;
}

int members(int n, const struct options *o, double *x, double *y) {
    int it;
    double r = 1;
    for (it = 0; it < o->most && r > o->tolerance; it++) {
        r = 0;
        for (int i = 0; i < n; i++) {
            r += fabs(y[i] - 0.5 * x[i]);
            x[i] = 0.5 * x[i] + y[i];
        }
    }
    return it;
}

/* The region changes what the condition reads. */
int changed(int n, struct options *o, double *x) {
    int it;
    double r = 1;
    for (it = 0; it < o->most && r > o->tolerance; it++) {
        r = 0;
        for (int i = 0; i < n; i++)
            r += x[i];
        o->tolerance = o->tolerance * 2;
    }
    return it;
}

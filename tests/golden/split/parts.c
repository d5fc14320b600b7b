/* Loops of which a part calls what the device has not: what is before and behind it runs in loops of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double heavy(const double *x, int n, int i) {
    double s = 0;
    for (int j = 0; j < n; j++)
        s += sqrt(x[i] * x[i] + x[j] * x[j]);
    return s;
}

/* Before: a value is handed on. */
void before(int n, const double *restrict x, float *v) {
    for (int i = 0; i < n; i++) {
        double f = heavy(x, n, i);
        v[i] = f + rand();
    }
}

/* Behind: two values of a generator, in variables of the function's. */
double behind(long n, int m) {
    double sum = 0, a, b;
    for (long k = 1; k <= n; ++k) {
        a = drand48();
        b = drand48();
        double path = a;
        for (int s = 0; s < m; s++)
            path += b * sin(path);
        sum += path;
    }
    return sum + a + b;
}

/* Both, around output; a state that a function keeps; an element that is the iteration's own. */
static unsigned state = 1;
static unsigned next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

void both(int n, int m, double (*a)[8], int *hits) {
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int j = 0; j < m; j++)
            t += a[i][j % 8] / (j + 1);
        unsigned r = next();
        printf("%d %u %g\n", i, r, t);
        int h = 0;
        for (int j = 0; j < m; j++)
            h += (r >> (j % 24)) & 1;
        hits[i] = h;
    }
}

/* As they are: the part before reads what the rest writes, */
void reads_back(int n, double *x) {
    for (int i = 0; i < n; i++) {
        double f = heavy(x, n, i);
        x[i] = f + rand();
    }
}

/* it may, as far as types tell, */
void may_overlap(int n, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double f = heavy(x, n, i);
        y[i] = f + rand();
    }
}

/* it reads what an iteration before has left, */
double carried(int n, const double *x) {
    double f = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            f += f * x[j];
        f = f + rand();
    }
    return f;
}

/* the loop ends early, */
void ends(int n, const double *x, float *v) {
    for (int i = 0; i < n; i++) {
        double f = heavy(x, n, i);
        if (f > 3)
            break;
        v[i] = f + rand();
    }
}

/* nobody knows what is called, */
void unknown(int *);
void calls(int n, const double *x, float *v) {
    for (int i = 0; i < n; i++) {
        double f = heavy(x, n, i);
        int k;
        unknown(&k);
        v[i] = f + k;
    }
}

/* nothing in it takes long, */
void quick(int n, const double *x, float *v) {
    for (int i = 0; i < n; i++) {
        double f = x[i] * x[i];
        v[i] = f + rand();
    }
}

/* a bound is read from what the rest writes, */
void bound(int *n, const double *x, int *v) {
    for (int i = 0; i < n[0]; i++) {
        double f = heavy(x, 8, i);
        v[i] = f + rand();
    }
}

/* steps over time, of which each needs the one before. */
void steps(int t, int n, float *u, float *w) {
    for (int k = 0; k < t; k++) {
        for (int i = 1; i < n - 1; i++)
            w[i] = u[i - 1] + u[i + 1];
        for (int i = 1; i < n - 1; i++)
            u[i] = w[i];
        printf("%d\n", k);
    }
}

/* As they are, too: pointers in an array lead into another array, */
static double table[64], *rows[8];
void through_pointers(int n, const float *x) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += rows[j % 8][i] * x[j];
        table[i] = s + rand();
    }
}

/* the counter is added to a place that moves. */
void moving(int n, double *a, const int *by) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        k = by[i];
        double s = 0;
        for (int j = 0; j < n; j++)
            s += (a + k)[i] * j;
        (a + k)[i] = s + rand();
    }
}

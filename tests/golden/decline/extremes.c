/* Nearly the place of a largest value: what is set is not it, or two computations of it might differ. */
#include <math.h>

int other_value(int n, const double *x) {
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (fabs(x[i]) > best) {
            best = x[i];
            at = i;
        }
    return at;
}

int rounded(int n, const double *x) {
    float best = -1.0f;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    return at;
}

int rounded_once_or_twice(int n, const double *x, const double *y) {
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (x[i] * x[i] + y[i] > best) {
            best = x[i] * x[i] + y[i];
            at = i;
        }
    return at;
}

int records(int n, const double *x) {
    double best = -1.0;
    int times = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (x[i] > best) {
            best = x[i];
            times = times + 1;
        }
    return times;
}

int before_it(int n, const double *x) {
    double best = -1.0, old = 0.0;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (x[i] > best) {
            old = best;
            best = x[i];
            at = i;
        }
    return old > 0.0 ? at : 0;
}

int also_otherwise(int n, const double *x) {
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (x[i] > best) {
            best = x[i];
            at = i;
        } else
            best = 0.5 * best;
    return at;
}

int not_twice(int n, const double *x) {
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (x[i] > best && i != at) {
            best = x[i];
            at = i;
        }
    return at;
}

int anything(int n, const double *x) {
    double best = -1.0;
    int at = 0;
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `best`
        if (!(x[i] <= best)) {
            best = x[i];
            at = i;
        }
    return at;
}

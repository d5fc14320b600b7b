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

int of_another(int n, const double *x, const double *y) {
    int at = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `at`
        if (x[i] > y[at])
            at = i;
    return at;
}

int beside_it(int n, const double *x) {
    int at = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `at`
        if (x[i] > x[at])
            at = i - 1;
    return at;
}

int from_it(int n, const double *x) {
    int at = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `at`
        if (x[at + i] > x[at + at])
            at = i;
    return at;
}

int with_its_place(int n, double *x) {
    int at = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `at`
        if (x[i] + at > x[at] + at)
            at = i;
    return at;
}

int how_far(int n, const double *x) {
    int at = 0, far = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `at`
        if (x[i] > x[at]) {
            far = far + i - at;
            at = i;
        }
    return far;
}

int in_another_width(int n, const double *x) {
    unsigned char at = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `at`
        if (x[i] > x[at])
            at = i;
    return at;
}

int of_what_it_changes(int n, double *x) {
    int at = 0;
    for (int i = 1; i < n; i++) // decline: iterations depend on each other through `x`
        if (x[i] > x[at]) {
            at = i;
            x[i] = 0.0;
        }
    return at;
}

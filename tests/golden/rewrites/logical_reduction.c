#include <stdbool.h>

int all_and_any(int n, const double *v, bool any) {
    int all = 1;
    for (int i = 0; i < n; i++) {
        all = all && v[i] > 0 && v[i] < 9;
        any = v[i] > 5 || any;
    }
    return all + 2 * any;
}

int guarded(int n, const double *v) {
    int all = 1, none = 0;
    for (int i = 0; i < n; i++) {
        if (all && !(v[i] > 0))
            all = 0;
        if (!none && v[i] > 1e6)
            none = 2;
    }
    return all + none;
}

int parity(int n, const double *v) {
    int odd = 0;
    bool even = true;
    for (int i = 0; i < n; i++) {
        odd = odd != (v[i] > 0);
        if (v[i] > 5)
            even = !even;
    }
    return odd + 2 * even;
}

/* A division by zero would end the program. */
int divided(int n, const int *v, const int *by) {
    int all = 1;
    for (int i = 0; i < n; i++)
        all = all && v[i] / by[i] > 2;
    return all;
}

/* Each iteration keeps what has been decided so far. */
void kept(int n, const double *v, int *so_far) {
    int all = 1;
    for (int i = 0; i < n; i++) {
        all = all && v[i] > 0;
        so_far[i] = all;
    }
}

/* What the parameter holds may be no truth value. */
int unknown(int n, const double *v, int odd) {
    for (int i = 0; i < n; i++)
        odd = odd != (v[i] > 0);
    return odd;
}

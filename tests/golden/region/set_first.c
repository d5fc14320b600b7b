/* What a statement with a loop of its own sets for sure before it reads it, it does not read; what it surely sets in the
   end, it writes for sure. */
#define DEBUG 0
int printf(const char *, ...);
static void step(double *state, double factor) { *state = factor * *state; }
void set_first(int n, const double *from, double *to) {
    int i, k, half, rest;
    double middle, lo, hi, last = 0, state;
    for (i = 0; i < n; i++) {
        lo = 0, hi = from[i];
        state = 1;
        rest = i;
        for (k = 0; k < 32; k++) {
            half = rest / 2;
            if (half == 0) break;
            step(&state, half);
            rest = half;
        }
        do {
            middle = 0.5 * (lo + hi);
            if (middle * middle > from[i]) hi = middle;
            else lo = middle;
            if (lo > 3) last = lo;
            if (DEBUG) printf("%g\n", last);
        } while (hi - lo > 1e-9);
        to[i] = middle + last + state;
    }
}

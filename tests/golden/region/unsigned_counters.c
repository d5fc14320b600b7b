/* Conditions on unsigned counters: beside constants that are natural they are what they seem. */
#include <stddef.h>

void edges(size_t n, const double *a, double *b) {
    for (size_t i = 0; i < n; i++)
        if (i == 0)
            b[i] = 0;
        else if (i > 3)
            b[i] = a[i - 1];
}

void turns(unsigned steps, int n, double *a, double *b) {
    for (unsigned t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1];
        double *c = a;
        a = b;
        b = c;
    }
}

/* -1 is the largest number there, and 0 - 1 too. */
void wrapped(unsigned n, const double *a, double *b) {
    for (unsigned i = 0; i < n; i++)
        if (i > -1)
            b[i] = a[i];
        else if (i - 1 > 5)
            b[i] = a[i] + 1;
}

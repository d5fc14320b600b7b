#ifndef SCALE_H
#define SCALE_H
#include "types.h"
static inline void scale(int n, const real *restrict x, real *restrict y) {
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
static inline void never(int n, const real *restrict x, real *restrict y) {
    for (int i = 0; i < n; i++)
        y[i] = 3 * x[i];
}
#endif

/* Loops in files that this one includes: functions of a header, one of which nobody calls; a file that is a function for
   each type it is included for; statements of a loop that stand in a file of their own. */
#include "included/types.h"
#include "included/scale.h"
#include <stdio.h>
enum { N = 1000 };
static real a[N], b[N];
static float f[N];
#define TYPE real
#define NAME fill_real
#include "included/fill.inc"
#undef TYPE
#undef NAME
#define TYPE float
#define NAME fill_float
#include "included/fill.inc"

int main(void) {
    fill_real(N, a);
    fill_float(N, f);
    scale(N, a, b);
    for (int t = 0; t < 3; t++) {
#include "included/step.inc"
    }
    real sum = 0;
    for (int i = 0; i < N; i++) sum += (b[i] + f[i]) * (i % 7);
    printf("%.1f\n", sum);
    return 0;
}

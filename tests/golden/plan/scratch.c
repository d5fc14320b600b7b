// Memory of the function's own that nobody reads after the region stays on the device (`r`); what the function hands on
// (`kept`), or reads behind the region (`shown`), comes back. An element that the host's own counter names (`history`)
// moves with its whole array, whose extent must be known: here it is C's.
#include <stdlib.h>

double *handed_on;

double relax(int n, int most, double x[n], double history[most + 1]) {
    double *r = malloc(n * sizeof *r), *kept = malloc(n * sizeof *kept), *shown = malloc(n * sizeof *shown);
    int steps = 0;
    if (!r || !kept || !shown)
        return -1.0;
    double change = 1.0;
    while (change > 1e-6 && steps < most) {
        change = 0.0;
        for (int i = 0; i < n; i++)
            r[i] = 0.5 * x[i];
        for (int i = 0; i < n; i++) {
            kept[i] = r[i];
            shown[i] = r[i];
            x[i] -= r[i];
            change += r[i] * r[i];
        }
        history[steps] = change;
        steps++;
    }
    free(r);
    handed_on = kept;
    double first = shown[0];
    free(shown);
    return first;
}

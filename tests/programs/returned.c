/* Results of functions with regions go into memory: into what they left on the device, beside it, and into the structure that
 * they are handed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    double *a, *b, norm[4];
} state;

static double dot(int n, const double *a, const double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

static void mix(int n, double *a, const double *b, double by) {
    for (int i = 0; i < n; i++) a[i] = by * a[i] + b[n - 1 - i];
}

/* Leaves on the device what it changes, and returns a number. */
static double relaxed(int n, double *a, const double *b) {
    for (int i = 0; i < n; i++) a[i] = 0.5 * (a[i] + b[i]);
    return n;
}

static void through_a_pointer(int n, double *a, double *b, double *result) {
    for (int t = 0; t < 5; t++) {
        mix(n, a, b, 0.25);
        *result = dot(n, a, b) / 1024;
        if (*result < -1e9) break;  // decline: the host reads an element
    }
}

static void in_a_structure(state *s) {
    for (int t = 0; t < 4; t++) {
        mix(s->n, s->a, s->b, 0.5);
        s->norm[t] = sqrt(fabs(dot(s->n, s->a, s->a)));
        s->b[t] = relaxed(s->n, s->a, s->b);
        s->a[s->n - 1 - t] = relaxed(s->n, s->a, s->b) * 0.001;
        if (getenv("STOP_RETURNED")) break;  // decline: is called here
    }
}

int main(void) {
    int n = 3000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), apart = 0;
    if (!a || !b) return 1;
    for (int i = 0; i < n; i++) {
        a[i] = (i * 7) % 32;
        b[i] = (i * 5) % 16 - 8;
    }
    through_a_pointer(n, a, b, &apart);
    printf("%.10g\n", apart);
    /* The result is an element of what is computed from. */
    through_a_pointer(n, a, b, &a[n / 2]);
    printf("%.10g %.10g\n", a[n / 2], a[n / 2 + 1]);
    through_a_pointer(n, a, b, b + 3);
    printf("%.10g\n", b[3]);
    state s = {n, a, b, {0}};
    in_a_structure(&s);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] - b[i];
    printf("%.10g %.10g %.10g %.10g %.10g\n", s.norm[0], s.norm[3], b[0], a[n - 1], sum);
    free(a);
    free(b);
    return 0;
}

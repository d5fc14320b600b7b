// Members that the program names by macros: the text of a macro holds its own name.
#include <stdio.h>
#include <stdlib.h>

struct parameters {
    int n;
    double tau;
    struct {
        double *x;
    } field;
};

static struct parameters parameters;

#define n parameters.n
#define TAU parameters.tau
#define x field.x

static double sum(void) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += parameters.x[i] * TAU;
    return s;
}

static void relax(struct parameters *other) {
    for (int i = 0; i < n; i++) {
        other->x[i] += n * TAU;
    }
}

int main(void) {
    n = 30000;
    TAU = 0.5;
    parameters.x = malloc(n * sizeof *parameters.x);
    if (!parameters.x)
        return 1;
    for (int i = 0; i < n; i++) parameters.x[i] = i % 17;
    relax(&parameters);
    printf("%.6e\n", sum());
    free(parameters.x);
    return 0;
}

/* Calls the shipped solver `cg` for 100 iterations, whatever they come to. */
#include "matrix.h"

int cg(int n, const int *start, const int *column, const double *value, const double *b, double *x, double tolerance,
       int most, double *history, int *broken);

int main(void) {
    struct matrix a = bench_matrix();
    int most = 100, broken = 0;
    double *b = bench_memory(a.n, sizeof *b), *x = bench_memory(a.n, sizeof *x);
    double *history = bench_memory(most + 1, sizeof *history);
    for (int run = 0; run < 3; run++) {
        for (int i = 0; i < a.n; i++)
            b[i] = 1.0, x[i] = 0.0;
        if (cg(a.n, a.start, a.column, a.value, b, x, 0.0, most, history, &broken) != most) {
            fprintf(stderr, "cg ended before its time\n");
            return 1;
        }
    }
    free(a.start), free(a.column), free(a.value), free(b), free(x), free(history);
    return 0;
}

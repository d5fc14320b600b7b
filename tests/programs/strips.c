/* Waves in strips: one index of strips and rows, a buffer and the last place that threads have for all of their iterations. */
#include <stdio.h>
#include <stdlib.h>

#define STRIP 112
#define EDGE 2
#ifndef NX
#define NX 40
#endif

static void swap(float **a, float **b) {
    float *tmp = *a;
    *a = *b;
    *b = tmp;
}

int main(void) {
    int n_strips = 2, nx = NX, nz, start, steps = 12, source;
    float *p, *q, *v, deriv[3] = {-2.5f, 4.0f / 3, -1.0f / 12};
    nz = n_strips * STRIP + 2 * EDGE;
    start = nz * EDGE + EDGE;
    source = start + nz * (nx / 2) + 100;
    p = calloc((nx + 2 * EDGE) * nz, sizeof *p);
    q = calloc((nx + 2 * EDGE) * nz, sizeof *q);
    v = malloc((nx + 2 * EDGE) * nz * sizeof *v);
    float damp[nz];
    for (int i = 0; i < (nx + 2 * EDGE) * nz; i++)
        v[i] = 0.1f + 0.01f * (i % 7);
    for (int i = 0; i < nz; i++)
        damp[i] = i < 20 ? 0.01f * (20 - i) : 0;
    #pragma omp parallel default(shared)
    {
        int at, ix, iz, k, s, d;
        float sum, strip[STRIP];
        for (int t = 0; t < steps; t++) {
            #pragma omp for schedule(static)
            for (s = 0; s < n_strips * nx; s++) {
                ix = (int)s / n_strips;
                iz = s % n_strips * STRIP;
                for (k = 0; k < STRIP; k++) {
                    at = start + ix * nz + iz + k;
                    sum = 2 * deriv[0] * q[at];
                    for (d = 1; d < 3; d++) {
                        sum += deriv[d] * (q[at - d] + q[at + d]);
                        sum += deriv[d] * (q[at - nz * d] + q[at + nz * d]);
                    }
                    strip[k] = v[at] * sum;
                    strip[k] += 2 * q[at] * (1 - damp[iz + EDGE + k]);
                    strip[k] -= p[at] * (1 - damp[iz + EDGE + k]);
                }
                for (k = 0; k < STRIP; k++)
                    p[at - (STRIP - 1) + k] = strip[k];
            }
            #pragma omp single
            {
                p[source] += t < 4 ? 1.0f : 0;
                swap(&p, &q);
                if (t % 4 == 3)
                    fwrite(q + source, sizeof *q, 0, stdout);
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < (nx + 2 * EDGE) * nz; i++)
        sum += q[i] * (i % 13);
    printf("%.4f\n", sum);
    free(p), free(q), free(v);
    return 0;
}

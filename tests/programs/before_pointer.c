/* A line of cells with ghosts on both sides, which a function is handed from its first inner cell on: neighbours that only
 * the data tell lie before the pointer that it has. Where one of its calls stays on the host, all of the line must be there.
 * Rows above, where how long rows are is set between two loops. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 5000, GHOSTS = 10, PROBES = 40 };

static void grow(double *line, int n)
{
    for (int i = 0; i < n; i++)
        line[i] = line[i] * 1.01 + i;
}

static double probe(const double *inner, const int *at, int m)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += inner[at[i] - 3];
    return sum;
}

static int row = 7;

static void above(int n, int m, const double *restrict in, double *restrict marks, double *restrict out)
{
    for (int i = 0; i < n; i++)
        marks[i] = 1;
    row = m + 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i * row + j] = in[i * row + j - row];
}

int main(void)
{
    double *line = malloc(N * sizeof *line), sum = 0;
    int *at = malloc(PROBES * sizeof *at);
    if (!line || !at)
        return 1;
    for (int i = 0; i < N; i++)
        line[i] = i % 7;
    for (int i = 0; i < PROBES; i++)
        at[i] = i * 5 % 17;
    for (int t = 0; t < 50; t++) {
        grow(line, N);
        sum += probe(line + GHOSTS, at, PROBES);
    }
    double *marks = malloc(N * sizeof *marks), *out = calloc(N, sizeof *out);
    if (!marks || !out)
        return 1;
    above(40, 50, line + 52, marks, out);
    for (int i = 0; i < N; i++)
        sum += out[i] * (i % 3);
    printf("%.10g\n", sum);
    free(marks);
    free(out);
    free(line);
    free(at);
    return 0;
}

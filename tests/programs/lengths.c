/* Lengths of arrays by `sizeof`: a parameter's array is a pointer, whatever stands in its place where a call is opened. */
#include <stdio.h>

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static double series[1600];
static float plane[40][50];

static void fill(int m, double p[7])
{
    for (int k = 0; k < (int)(100 * sizeof p / sizeof(int)); k++)
        p[k] = k * m;
}

static void scale(int n, double *p, float factor, double row[n])
{
    for (int k = 0; k < n + (int)(sizeof(p) / 8 + sizeof factor + sizeof *p + sizeof row); k++) // decline: only the data know
        p[k] = p[k] * factor + k;
}

int main(void)
{
    for (int k = 0; k < (int)(sizeof series / sizeof *series); k++)
        series[k] = (k * 7 + 3) % 19 - 9;
    double sum = 0;
    for (size_t k = 0; k < LENGTH(series); k++)
        sum += series[k];
    for (unsigned k = 0; k < sizeof series / sizeof *series; k++)
        sum += series[k] * k;
    for (int k = 0; k < LENGTH(series); k++)
        sum += series[k] * k;
    for (size_t i = 0; i < LENGTH(plane); i++)
        for (size_t j = 0; j < LENGTH(plane[0]); j++)
            plane[i][j] = (double)(i * 3 - 7) / sizeof(double) + (i - 20) / (int)sizeof(double) + (int)(j - 9) / sizeof(int);
    for (size_t i = 0; i < LENGTH(plane); i++)
        for (size_t j = 0; j < LENGTH(plane[0]); j++)
            sum += plane[i][j];
    double local[LENGTH(series)];
    for (size_t i = 0; i < sizeof local / sizeof(double); i++)
        local[i] = series[i] + 1;
    fill(3, local);
    for (int t = 0; t < 3; t++)
        scale(200, local, t, local);
    for (size_t i = 0; i < LENGTH(local); i++)
        sum += local[i];
    printf("%.17g\n", sum);
    return 0;
}

/* Functions in the style before C89 are not read, and hints in them are no matter. */
float one(x) float x; { return x; } // decline: parameters in the style before C89
float *two(n, m)
int n, m;
{ // decline: it reads no parameters in the style before C89
    float *a = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = m;
    return a;
}

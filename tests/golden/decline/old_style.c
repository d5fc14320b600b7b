/* Functions in a form of the style before C89 that the parser does not know are not read, and hints in them are no matter. */
float *two(n, m)
int n, m;
{ // decline: it reads no parameters in the style before C89
    float *a = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = m;
    return a;
}

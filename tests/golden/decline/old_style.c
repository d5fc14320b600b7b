/* What the parser does not know of the style before C89 is not read, and hints in it are no matter. */
float *two(n, m)
int n, m;
{ // decline: it reads no parameters in the style before C89
    float *a = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] = m;
    return a;
}

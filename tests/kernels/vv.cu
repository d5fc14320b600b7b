// Outer product of two vectors, with the paper's names for the indices of a thread.
#pragma rt size(m, n)
#pragma rt output(c)
__global__ void vv(const float *a, const float *b, float *c, int n, int m)
{
    c[idy * m + idx] = a[idy] * b[idx];
}

// Product of a matrix and a vector: a thread sums a row, which its neighbours do not share.
__global__ void mv(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
        sum += a[i * m + j] * x[j];
    y[i] = sum;
}

// Product of a transposed matrix and a vector: a thread sums a column.
__global__ void tmv(const float *a, const float *x, float *y, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += a[i * m + j] * x[i];
        y[j] = sum;
    }
}

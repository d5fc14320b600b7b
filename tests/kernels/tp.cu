// Transpose of a matrix.
__global__ void tp(const float *a, float *b, int n, int m)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= n)
        return;
    b[x * n + y] = a[y * m + x];
}

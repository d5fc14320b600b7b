// Sum of a vector.
__global__ void rd(const float *a, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sum[0], a[i]);
}

// Convolution of an image with a small kernel.
#define K 5

__global__ __launch_bounds__(256) void conv(const float *image, const float *weights, float *out, int h, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w - (K - 1) && y < h - (K - 1)) {
        float sum = 0;
        for (int p = 0; p < K; p++)
            for (int q = 0; q < K; q++)
                sum += image[(y + p) * w + x + q] * weights[p * K + q];
        out[y * w + x] = sum;
    }
}

// Forward substitution with many right-hand sides: a thread solves for one column of them.
__global__ void strsm(const float *l, float *b, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        for (int i = 0; i < n; i++) {
            float x = b[i * m + j];
            for (int k = 0; k < i; k++)
                x -= l[i * n + k] * b[k * m + j];
            b[i * m + j] = x / (l[i * n + i] + 8.0f);
        }
    }
}

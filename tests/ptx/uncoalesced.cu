// Kernels in the manner of those that the coalescing paper found uncoalesced (its tables 2 and 3), written anew: a thread a row,
// or the fastest dimension of the block along the slowest of the array.

// One thread sums a row (ATAX, BiCG, MVT).
extern "C" __global__ void row_of_thread(const float *a, const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
}

// Two rows a thread (GESUMMV).
extern "C" __global__ void two_rows(const float *a, const float *b, const float *x, float *s, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < n; j++) {
            s[i] += a[i * n + j] * x[j];
            y[i] += b[i * n + j] * x[j];
        }
        y[i] = 2 * s[i] + 3 * y[i];
    }
}

// A column of factors (Gaussian elimination, the first kernel).
extern "C" __global__ void factors(float *m, const float *a, int n, int t)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1 - t) m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

// The rest of the matrix, rows along x (Gaussian elimination, the second kernel).
extern "C" __global__ void eliminate(const float *m, float *a, float *b, int n, int t)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n - 1 - t || j >= n - t) return;
    a[n * (i + 1 + t) + j + t] -= m[n * (i + 1 + t) + t] * a[n * t + j + t];
    if (j == 0) b[i + 1 + t] -= m[n * (i + 1 + t) + t] * b[t];
}

// Three dimensions, the first of them along x (Cell).
extern "C" __global__ void cells(const int *now, int *next, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x > n - 2 || y > n - 2 || z > n - 2) return;
    const int at = (x * n + y) * n + z;
    next[at] = now[at - n * n] + now[at - n] + now[at - 1] + now[at + 1] + now[at + n] + now[at + n * n];
}

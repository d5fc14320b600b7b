// Reconstruction of an image whose pixels hold one colour each: red, green; green, blue.
__device__ float mean4(float a, float b, float c, float d)
{
    return 0.25f * (a + b + c + d);
}

extern "C" __global__ void demosaic(const float *raw, float *red, float *green, float *blue, int h, int w)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * blockDim.x + tx;
    int y = blockIdx.y * blockDim.y + ty;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    float c = raw[y * w + x];
    float cross = mean4(raw[(y - 1) * w + x], raw[(y + 1) * w + x], raw[y * w + x - 1], raw[y * w + x + 1]);
    float corners = mean4(raw[(y - 1) * w + x - 1], raw[(y - 1) * w + x + 1], raw[(y + 1) * w + x - 1],
                          raw[(y + 1) * w + x + 1]);
    float rows = 0.5f * (raw[y * w + x - 1] + raw[y * w + x + 1]);
    float columns = 0.5f * (raw[(y - 1) * w + x] + raw[(y + 1) * w + x]);
    int odd_y = y % 2, odd_x = x % 2;
    red[y * w + x] = odd_y == 0 ? (odd_x == 0 ? c : rows) : (odd_x == 0 ? columns : corners);
    green[y * w + x] = odd_y == odd_x ? cross : c;
    blue[y * w + x] = odd_y == 0 ? (odd_x == 0 ? corners : columns) : (odd_x == 0 ? rows : c);
}

// Pixels of an image that are larger than all around them.
__global__ void imregionmax(const float *image, int *is_max, int h, int w)
{
    int bx = blockIdx.x, by = blockIdx.y;
    int x = bx * blockDim.x + threadIdx.x;
    int y = by * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        float here = image[y * w + x];
        int found = 1;
        for (int p = -1; p <= 1; p++)
            for (int q = -1; q <= 1; q++)
                if (image[(y + p) * w + x + q] > here)
                    found = 0;
        is_max[y * w + x] = found;
    }
}

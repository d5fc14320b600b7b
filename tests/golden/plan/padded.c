// Planes that need not be whole rows: positions are by the strides themselves.
void scale(int n, int pencil, int plane, const double *x, double *y)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) y[k * plane + j * pencil + i] = 2 * x[k * plane + j * pencil + i];
}

// The length of a tile is asked of only where there are tiles.
void either(int tiled, int n, int t, double *x)
{
    if (!tiled) {
        for (int i = 0; i < n; i++) x[i] += 1;
    } else {
        for (int ii = 0; ii < n; ii += t)
            for (int i = ii; i < (n < ii + t ? n : ii + t); i++) x[i] *= 2;
    }
}

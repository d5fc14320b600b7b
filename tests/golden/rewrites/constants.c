void sums(int n, double *x, const double *y) {
    const int width = 4;
    const double scale = 0.5;
    for (int i = 0; i + width <= n; i += width) {
        double part[width];
        for (int k = 0; k < width; k++) part[k] = scale * y[i + k];
        x[i / width] = part[0] + part[width - 1];
    }
}

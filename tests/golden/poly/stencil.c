/* Two sweeps in a time loop: flow forwards in time, anti dependences back. */
void stencil(int steps, int n, double a[n], double b[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

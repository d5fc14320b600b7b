/* A loop that ends by what the host counts looks at nothing of the device, and is left alone. */
void counted(int n, int steps, double a[n], double b[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

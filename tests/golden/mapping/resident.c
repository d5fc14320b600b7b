/* A resident kernel has up to 1024 threads a block, whatever its phases were cut for. With so many, these tiles would find
 * no room in shared memory: each step is launched. */
void power(int n, int steps, double a[n][n], double *x, double *y) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += a[i][j] * x[j];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i];
    }
}

// v and c are each thread's own in both phases; u is read at neighbours.
void leap(int n, int steps, double u[n], double v[n], const double c[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] += c[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] += v[i];
    }
}

// Buffers that change places: a step takes one of two turns, so that one barrier behind both is enough. A sum over halves: in
// the mean its steps have an eighth of the threads of the first.
void diffuse(int steps, int n, double *u, double *v) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        double *other = u;
        u = v;
        v = other;
    }
}

void halves(int n, double a[restrict n]) {
    for (int s = n / 2; s > 0; s /= 2)
        for (int i = 0; i < s; i++)
            a[i] += a[i + s];
}

/* Nobody calls it here: whoever does finds everything at home. */
void step(int n, double *u, const double *v) {
    for (int i = 0; i < n; i++)
        u[i] += v[i];
}

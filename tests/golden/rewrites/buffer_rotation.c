void steps(int t, int n, double *u, double *un) {
    for (int k = 0; k < t; k++) {
        for (int i = 1; i < n - 1; i++)
            un[i] = 0.5 * (u[i - 1] + u[i + 1]);
        double *tmp = u;
        u = un;
        un = tmp;
    }
}

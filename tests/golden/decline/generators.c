/* Random numbers of which only the data know how many are drawn: they come in order. */
void sometimes(int n, int seed, double *x) {
    for (int i = 0; i < n; i++) // decline: iterations depend on each other through `seed`
        if (x[i] > 0.5) {
            seed = (106 * seed + 1283) % 6075;
            x[i] = seed;
        }
}

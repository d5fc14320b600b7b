/* Nothing is kept, and one line says why. */
void advance(int steps) {
    double u[4000], v[4000];
    for (int i = 0; i < 4000; i++)
        u[i] = v[i] = i;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 4000; i++)
            v[i] = 0.5 * (u[i] + u[i - 1]);
        if (v[17] > 3)
            break;
        for (int i = 1; i < 4000; i++)
            u[i] = v[i];
    }
}

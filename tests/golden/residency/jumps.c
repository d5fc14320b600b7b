double u[1000], v[1000];
/* Behind a jump nothing is known to be at home: what this one calls brings all of it home. */
static void step(void) {
    for (int i = 0; i < 1000; i++)
        u[i] = 0.5 * (u[i] + v[i]);
}
static void other(void) {
    for (int i = 0; i < 1000; i++)
        v[i] = u[i];
}
void refused(int n) {
again:
    step();
    u[7] += 1;
    if (n-- > 0)
        goto again;
}
void steps(int n) {
    for (int t = 0; t < n; t++) {
        other();
        step();
    }
}

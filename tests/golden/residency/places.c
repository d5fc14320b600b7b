double u[1000], v[1000];
int jumps, flag;
void *memcpy(void *, const void *, unsigned long);
void strange(void);
static void step(void) {
    for (int i = 0; i < 1000; i++)
        u[i] = 0.5 * (u[i] + v[i]);
}
static double first(void) { return u[0]; }
static double stepped(void) {
    step();
    return u[1];
}
void conditions(int n) {
    for (int t = 0; u[3] > 0.1 && t < n; t++)
        step();
    while (u[4] > 0.2)
        step();
    do
        step();
    while (first() > 0.3);
}
void statements(int n, double *w) {
    for (int t = 0; t < n; t++) {
        step();
        switch (t) {
        case 1:
            u[2] = 0;
            break;
        case 2:
            step();
        default:
            v[5] = 1;
        }
        if (t == 3)
            memcpy(w, u, sizeof u);
        else if (flag)
            strange();
        v[6] += stepped();
        flag = t;
    }
}

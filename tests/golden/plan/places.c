/* Scalars that may lie in an array that is written: their places are handed over. */
struct pair {
    double x;
    int n;
};
double gain;
static const double fixed = 2;
void f(double *a, const struct pair *p, int n, double own) {
    for (int i = 0; i < n; i++)
        a[i] = a[i] * gain + p->x + p->n + fixed + own;
}

double table[900];
void g(int n) {
    for (int i = 0; i < n; i++)
        table[i] = gain;
}

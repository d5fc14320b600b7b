/* What the function allocates is as long as it says, until its size or the pointer changes. */
void *malloc(unsigned long), *calloc(unsigned long, unsigned long);
typedef struct { int first, count; } node;
double allocations(int n, int m) {
    double *x = (double *)malloc(n * m * sizeof(double)), *y, s = 0;
    node *p;
    _Bool *mask = calloc(n, sizeof(_Bool));
    if (!(p = (node *)malloc(sizeof(node) * (n + 1))) || (y = malloc(n * sizeof *y)) == 0) return 0;
    for (int i = 0; i < n; i++)
        if (mask[i]) s += x[p[i].first * m] + x[p[p[i].count].first];
    return s;
}
double changes(int n, const int *to) {
    double *x = malloc(n * sizeof(double)), s = 0;
    n = 3;
    for (int i = 0; i < 3; i++) s += x[to[i]];
    return s;
}
/* A shape of structures is one of their numbers, too. */
#pragma rt shape(p: n)
void stated(int n, node *p, const int *restrict to, int *restrict out) {
    for (int i = 0; i < n; i++) out[i] = p[to[i]].count;
}

/* Loops that count by pointers to structures: alone, in step with an array, and to an end that stands before them. */
#include <stdio.h>
enum { N = 61 };
struct body {
    double x, v;
    int n;
};
static struct body bodies[N];
static double sums[N];

static void move(int n, struct body *all) {
    for (struct body *p = all; p < all + n; p++) p->x += p->v * 2;
}
static void count(struct body *p, int n) {
    const struct body *end = p + n;
    for (; p != end; ++p) p->v -= p->n;
}
static void collect(const struct body *all, double *to, int n) {
    const struct body *p = all;
    while (p < all + n) {
        *to++ = p->x + p->v * p->n;
        p++;
    }
}
int main(void) {
    for (int i = 0; i < N; i++) bodies[i] = (struct body){i % 7, i % 5, i % 3};
    move(N, bodies);
    count(bodies + 3, N - 5);
    count(bodies, 0);
    move(N - 9, bodies + 4);
    collect(bodies, sums, N);
    double s = 0;
    for (int i = 0; i < N; i++) s += sums[i] * (i % 9);
    printf("%.0f\n", s);
    return 0;
}

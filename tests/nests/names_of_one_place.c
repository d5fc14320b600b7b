/* What a call is given is computed before its body runs, whatever name the body's stores go by: a copy of the parameter, a
   pointer of the caller's that leads to the same place, a member, one of two pointers. */
#include <stdio.h>
enum { n = 5000 };
static int a[n], b[n];
struct view { int *first; };
static void through_a_copy(int *p, int *r, int v) {
    int *q = p;
    q[0] = v + 1;
    for (int i = 0; i < n; i++) r[i] = v + i;
}
static void through_the_parameter(int *p, int *r, int v) {
    p[0] = v + 1;
    for (int i = 0; i < n; i++) r[i] += v + i;
}
static void through_one_of_two(int *p, int *q, int *r, int v, int which) {
    (which ? p : q)[0] = v + 1;
    for (int i = 1; i < n; i++) r[i] += v + i;
}
static void through_a_member(struct view *s, int *r, int v) {
    struct view own = *s;
    own.first[0] = v + 1;
    for (int i = 1; i < n; i++) r[i] += v + i;
}
static void set(int *p, int v) { p[0] = v + 1; }
static void through_a_call(int *p, int *r, int v) {
    set(p, v);
    for (int i = 0; i < n; i++) r[i] += v + i;
}
static int read(int *p, int m) {
    int sum = 0;
    for (int i = 0; i < m; i++) sum += p[i];
    return sum;
}
struct size { int m; };
static struct size all;
static void with_another_size(struct size *s, struct size *t, int *r, int m) {
    *s = *t;
    for (int i = 0; i < m; i++) r[i] += i + m;
}
static void with_all(struct size *t, int *r, int m) {
    all = *t;
    for (int i = 0; i < m; i++) r[i] += i + m;
}
/* Here nothing is stored through what `read` is given: the rows stay rows. */
static int only_read(int **rows, int *out, int m) {
    for (int i = 0; i < m; i++) out[i] = read(rows[i], m);
    return out[m - 1];
}
static long sum(void) {
    long s = a[0];
    for (int i = 0; i < n; i++) s += (i % 7 + 1) * (long)b[i];
    return s;
}
int main(void) {
    int *rows[40], out[40];
    struct view s = {a};
    a[0] = 1;
    for (int t = 0; t < 3; t++) through_a_copy(a, b, a[0]);
    printf("%ld\n", sum());
    for (int t = 0; t < 3; t++) {
        int *q = a;
        through_the_parameter(a, b, q[0]);
    }
    printf("%ld\n", sum());
    for (int t = 0; t < 3; t++) {
        int *q = a, *p = q;
        through_the_parameter(p, b, q[0]);
    }
    printf("%ld\n", sum());
    for (int t = 0; t < 3; t++) through_one_of_two(a, b, b, a[0], t & 1);
    printf("%ld\n", sum());
    for (int t = 0; t < 3; t++) through_a_member(&s, b, a[0]);
    printf("%ld\n", sum());
    for (int t = 0; t < 3; t++) through_a_call(a, b, a[0]);
    printf("%ld\n", sum());
    struct size some = {7}, more = {n};
    for (int t = 0; t < 3; t++) with_another_size(&some, &more, b, some.m);
    printf("%ld\n", sum());
    for (int t = 0; t < 3; t++) with_all(&more, b, all.m);
    printf("%ld\n", sum());
    for (int i = 0; i < 40; i++) rows[i] = a + 40 * i;
    for (int i = 0; i < 1600; i++) a[i] = i % 11;
    printf("%d\n", only_read(rows, out, 40));
    return 0;
}

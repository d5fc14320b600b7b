// Structures, and what is no number.
#include <stdio.h>

enum { N = 300 };

struct system { double sum, scale; };

struct row { int id; double *at; };

struct flagged { double sum; int is_old : 1; struct flagged *next; };

// declined: a member is used here of a structure that the region exchanges for another
// remedy: gather these members in an array before the loop
static void follows_a_list(int n, double *a, double *sums, const struct flagged *s) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        a[i] += s->sum;
        s = s->next;
    }
    (void)sums;
#else
    for (int i = 0; i < n; i++) {
        sums[i] = s->sum;
        s = s->next;
    }
    for (int i = 0; i < n; i++) a[i] += sums[i];
#endif
}

// declined: a member is used here that is reached through more than variables and members
// remedy: copy the member to a local variable before the loop
static void scales(int n, double *a, struct system **s) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] *= s[n > 1 ? 1 : 0]->scale;
#else
    double scale = s[n > 1 ? 1 : 0]->scale;
    for (int i = 0; i < n; i++) a[i] *= scale;
#endif
}

// declined: a member is used here of a structure that each iteration reaches by a pointer of its own
// remedy: gather these members in an array before the loop
static void scales_each(int n, double *a, double *scales, const int *k, struct system **s) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] *= s[k[i]]->scale;
    (void)scales;
#else
    for (int i = 0; i < n; i++) scales[i] = s[k[i]]->scale;
    for (int i = 0; i < n; i++) a[i] *= scales[i];
#endif
}

// declined: a member of what is no variable is used here
// remedy: keep the structure in a variable
static void member_of_either(int n, const struct system *all, double *a) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        a[i] = (a[i] > 0 ? all[i] : all[0]).scale;
#else
        struct system s = all[0];
        if (a[i] > 0) s.scale = all[i].scale;
        a[i] = s.scale;
#endif
    }
}

// declined: how much of `(&rows[0].at)` is used cannot be seen from its subscripts
// remedy: copy these rows to one array before the loop
static void rows_by_data(int n, double *a, const int *k, const struct row *rows) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) a[i] += rows[k[i]].at[i % 4];
#else
    static double all[N][4];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) all[i][j] = rows[i].at[j];
    for (int i = 0; i < n; i++) a[i] += all[k[i]][i % 4];
#endif
}

// declined: the structure `t` is used as a whole here
// remedy: use a variable for each of its members
static void copies_whole(int n, struct system *s, double *a) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        struct system t = i % 2 ? s[i] : s[0];
        a[i] = t.sum;
    }
#else
    for (int i = 0; i < n; i++) {
        double sum = i % 2 ? s[i].sum : s[0].sum;
        a[i] = sum;
    }
#endif
}

// declined: the pointer `p` is declared here
// remedy: subscript the array that it points into
static void chooses_a_pointer(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        const double *p = i % 2 ? a : b;
        b[i] = p[i] * 2;
#else
        b[i] = (i % 2 ? a[i] : b[i]) * 2;
#endif
    }
}

// declined: the array `t` is initialised where it is declared
// remedy: declare it without values, and assign its elements in statements after it
static void initialised(int n, const int *k, double *a) {
    for (int i = 0; i < n; i++) {
#ifndef REMEDY
        double t[100] = {0};
#else
        double t[100];
        for (int j = 0; j < 100; j++) t[j] = 0;
#endif
        t[k[i] % 100] = 2;
        a[i] = t[i % 100];
    }
}

union number { double real; long whole; };

// declined: this is a member of a union or of a structure without a name
// remedy: keep it in a variable of its own, and set the member after the loop
static void sets_a_member(int n, union number *last, double *a) {
#ifndef REMEDY
    for (int i = 0; i < n; i++) {
        last->real = a[i] * 2;
        a[i] = last->real + 1;
    }
#else
    double value = last->real;
    for (int i = 0; i < n; i++) {
        value = a[i] * 2;
        a[i] = value + 1;
    }
    last->real = value;
#endif
}

int main(void) {
    static double a[N], b[N], c[N];
    static int k[N];
    static struct system all[N], *each[N];
    static struct row rows[N];
    static double of_rows[N][4];
    for (int i = 0; i < N; i++) {
        a[i] = b[i] = i % 7 - 2, k[i] = i * 7 % N;
        all[i].scale = 1 + i % 3, all[i].sum = i;
        each[i] = &all[i], rows[i].at = of_rows[i];
    }
    struct flagged total = {.sum = 3}, other = {.sum = 0.5, .next = &total};
    total.next = &other;
    follows_a_list(N, a, b, &total);
    scales(N, a, each);
    scales_each(N, a, b, k, each);
    member_of_either(N, all, c);
    rows_by_data(N, a, k, rows);
    copies_whole(N, all, c);
    chooses_a_pointer(N, a, b);
    initialised(N, k, c);
    union number last = {.whole = 0};
    sets_a_member(N, &last, a);
    printf("%g %g %g %g %g\n", last.real, a[3], b[5], c[7], all[0].sum + total.sum);
}

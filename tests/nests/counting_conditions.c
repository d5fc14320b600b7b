/* Conditions of time loops that count, behind `&&` and `||`, before and behind the iterations, and that read members: each
 * with a tolerance that ends it early, and with one that does not. */
#include <math.h>
#include <stdio.h>

#define N 40
#define MOST 12

struct options {
    int most;
    double tolerance;
};

static double a[N][N], b[N][N];

static int behind_and(double eps) {
    int it = 0;
    double d;
    do {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    } while (d > eps && ++it < MOST);
    return it;
}

static int before_and(double eps) {
    int it = 0;
    double d = 1e9;
    while (d > eps && it++ < MOST) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    }
    return it;
}

static int counted_first(double eps) {
    int it = 0;
    double d = 1e9;
    while (it++ < MOST && d > eps) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    }
    return it;
}

static int counted_first_behind(double eps) {
    int it = 0;
    double d;
    do {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    } while (it++ < MOST && d > eps);
    return it;
}

static int down(double eps, unsigned n) {
    double d = 1e9;
    while (d > eps && n-- > 0) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    }
    return (int)n;
}

static int either(double eps) {
    int it = 0;
    double d;
    do {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    } while (!(d < eps || ++it >= MOST));
    return it;
}

static int or_in_and(double eps, int always) {
    int it = 0;
    double d = 1e9;
    while (it < 2 * MOST && (always || ++it < MOST) && d > eps) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
        if (always) it += 2;
    }
    return it;
}

static int in_for(double eps) {
    int it = 0;
    double d = 1e9;
    for (int k = 0; d > eps && it++ < MOST; k += 2) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    }
    return it;
}

static int broken(double eps) {
    int it = 0;
    double d;
    for (;;) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
        if (d < eps || ++it >= MOST) break;
    }
    return it;
}

static int members(const struct options *o) {
    int it;
    double d = 1e9;
    for (it = 0; it < o->most && d > o->tolerance; it++) {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    }
    return it;
}

static int members_behind(struct options o) {
    int it = 0;
    double d;
    do {
        d = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                d += fabs(b[i][j] - a[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    } while (d > o.tolerance && ++it < o.most);
    return it;
}

/* Each row ends when its own data say so. */
static int in_rows(double (*x)[N], int *count) {
    int all = 0;
    for (int i = 0; i < N; i++) {
        int j = 0, n = 0;
        while (j < N - 1 && n++ < 9 && x[i][j] >= 0) {
            x[i][j] = x[i][j] * 0.5;
            j++;
        }
        count[i] = n;
        all += j;
    }
    return all;
}

static void set(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = b[i][j] = (i == 0) * (double)j;
}

int main(void) {
    const double tolerances[2] = {1e-3, 20};
    static int count[N];
    for (int k = 0; k < 2; k++) {
        double eps = tolerances[k];
        struct options o = {MOST, eps};
        set();
        printf("%d", behind_and(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", before_and(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", counted_first(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", counted_first_behind(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", down(eps, MOST));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", either(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", or_in_and(eps, 0));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", or_in_and(eps, 1));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", in_for(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", broken(eps));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", members(&o));
        printf(" %.9g\n", a[3][N / 2]);
        set();
        printf("%d", members_behind(o));
        printf(" %.9g\n", a[3][N / 2]);
    }
    printf("%d", in_rows(a, count));
    printf(" %d %d %.9g\n", count[0], count[N - 1], a[2][3]);
    return 0;
}

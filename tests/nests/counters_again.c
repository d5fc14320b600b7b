/* Counters that are used again: what is set before it is read is not kept, what some path reads is. */
#include <stdio.h>

static double a[40], b[40];

static int next_turn(int n) {
    int i = 0, seen = 0, t;
    for (t = 0; t < 3; t++) {
        seen = 10 * seen + i;
        printf("%d\n", seen);
        for (i = 0; i < n; i++)
            a[i] += i + t;
    }
    return seen;
}

static int some_path(int n, int k) {
    int i, j = 0;
    while (k-- > 0) {
        for (i = 0; i < n; i++)
            b[i] += a[i];
        if (k == 2)
            continue;
        if (k == 1) {
            j += i;
            break;
        }
        i = k;
        j += i;
        printf("%d\n", j);
    }
    return j;
}

static int tested(int n) {
    int i, rounds = 0;
    do {
        printf("round %d\n", rounds);
        for (i = 0; i < n; i++)
            a[i] = 0.5 * a[i] + 1;
        if (rounds++ > 2)
            return rounds;
    } while (i < 40);
    return -rounds;
}

static int only_if_set(int n, int m) {
    int i;
    for (i = 0; i < n; i++)
        b[i] += 1;
    if (m > 3)
        i = 7;
    else
        b[0] += i;
    return m > 5 ? 0 : m > 3 ? i : 1;
}

static double never_read(int n) {
    int i, j;
    double s = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < 2; j++)
            a[2 * i + j] = b[i] + j;
    for (i = 0; i < 2; i++) {
        j = 3 + i;
        s += a[j];
        printf("%g\n", s);
    }
    return s;
}

static int by_address(int n) {
    int i, *at = &i;
    for (i = 0; i < n; i++)
        b[i] -= 1;
    n = *at;
    i = 0;
    return n + i;
}

static int length(int n) {
    int i = 3;
    for (i = 0; i < n; i++)
        b[i] *= 2;
    double t[i];
    return (int)sizeof t;
}

int main(void) {
    int x[] = {next_turn(9), some_path(11, 4), some_path(6, 2), tested(12), tested(40), only_if_set(8, 2), only_if_set(8, 4), length(6)};
    for (int i = 0; i < 8; i++)
        printf("%d\n", x[i]);
    printf("%g %d\n", never_read(15), by_address(5));
    for (int i = 0; i < 40; i++)
        printf("%g %g\n", a[i], b[i]);
    return 0;
}

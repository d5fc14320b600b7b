/* Assignments inside expressions, where C says in which order they are made. */
#include <stdio.h>

enum { N = 200 };

static int half(int x, int *rest) {
    *rest = x % 2;
    return x / 2;
}

/* A trigonometric recurrence, as of old. */
static void recurrence(int n, int m, int *data, const int *by) {
    int i, j, wr, wi, wtemp, wpr = 3, wpi = 2;
    for (i = 0; i < n; i++) {
        wr = by[i];
        wi = 1;
        for (j = 0; j < m; j++) {
            data[i * m + j] += wr - wi;
            wr = ((wtemp = wr) * wpr - wi * wpi + wr) % 1000;
            wi = (wi * wpr + wtemp * wpi + wi) % 1000;
        }
    }
}

static void chains(int n, int *p, const int *from) {
    int a, b;
    for (int i = 0; i < n; i++) {
        p[n + i] = p[i] = from[i];
        a = b = from[i] + 1;
        p[i] += a - b / 2;
        p[i] += (a = 3) * (b = 2);
        p[i] -= a, b = (a = p[i]) - 1, p[i] += (a = 7) - b, p[i] -= a;
        int t, u = (t = p[i]) * 2, v = (t += 5) + u;
        p[n + i] += t + v;
    }
}

static void conditions(int n, int *p, const int *from) {
    int t, most;
    for (int i = 0; i < n; i++) {
        most = 0;
        if ((t = from[i] % 7) > 3 && t < 6)
            most = t;
        p[i] = (t = from[i] - 50) > 0 ? t : -t;
        if (most < (t = from[i] % 5))
            p[i] += most = t;
        p[i] += most;
    }
}

static void loops(int n, int *p, const int *from) {
    int i, d, k, rest, sum;
    for (i = 0; i < n; i++) {
        d = from[i];
        k = 0;
        sum = 0;
        while ((d = half(d, &rest)) > 0) {
            if (rest) continue;
            k++;
        }
        for (int j = 0; (d = from[i] - j * j) > 0; j++) {
            if (d % 3 == 0) continue;
            sum += d;
        }
        do
            sum += ++k;
        while ((d = sum % 11) != 0 && k < 30);
        do {
            sum++;
            if (sum % 3 == 0) sum++;
        } while ((d = sum % 5) != 0);
        p[i] = k + sum + d;
    }
}

/* A loop of the host, with one of the device in it. */
static int converge(int n, int *p) {
    int i, rest, rounds = 0;
    while ((rest = p[0]) > 1) {
        for (i = 0; i < n; i++)
            p[i] = (p[i] + 1) / 2;
        rounds++;
    }
    return 10 * rounds + rest;
}

static void counted(int n, int *p, const int *from) {
    for (int i = 0; i < n; i++) {
        int k = from[i] % 20, sum = 0;
        for (int j = 0; j < 5; j++)
            sum += from[k++] * 2;
        p[i] = sum + k;
    }
}

/* What continues comes to the condition. */
static void continued(int n, int *p, const int *from) {
    int d;
    for (int i = 0; i < n; i++) {
        p[i] = from[i];
        do {
            p[i]++;
            if (p[i] % 3) continue;
            p[i]++;
        } while ((d = p[i] % 5) != 0);  // decline: the host reads an element of an array here
    }
}

/* C does not say which comes first. */
static void unsaid(int n, int *p, const int *from) {
    int t = 0;
    for (int i = 0; i < n; i++)
        p[i] = (t = from[i]) + t;  // decline: an assignment inside an expression
}

/* Only where the condition holds. */
static void perhaps(int n, int *p, const int *from) {
    int t = 0;
    for (int i = 0; i < n; i++)
        p[i] = from[i] > 5 ? (t = from[i]) : t;  // decline: an assignment inside an expression
}

int main(void) {
    int from[N], p[2 * N], data[N * 6], rounds;
    long sum = 0;
    for (int i = 0; i < N; i++)
        from[i] = i * 37 % 101;
    for (int i = 0; i < N * 6; i++)
        data[i] = i % 3;
    for (int i = 0; i < 2 * N; i++)
        p[i] = 0;
    recurrence(N, 6, data, from);
    chains(N, p, from);
    for (int i = 0; i < 2 * N; i++)
        sum = sum * 3 % 100003 + p[i];
    conditions(N, p, from);
    for (int i = 0; i < 2 * N; i++)
        sum = sum * 3 % 100003 + p[i];
    loops(N, p, from);
    for (int i = 0; i < 2 * N; i++)
        sum = sum * 3 % 100003 + p[i];
    p[0] = 1000;
    rounds = converge(N, p);
    counted(N, p, from);
    for (int i = 0; i < 2 * N; i++)
        sum = sum * 3 % 100003 + p[i];
    for (int i = 0; i < N * 6; i++)
        sum = sum * 3 % 100003 + data[i];
    perhaps(N, p, from);
    printf("%ld %d %d\n", sum, rounds, p[9]);
    continued(N, p, from);
    unsaid(0, p, from);
    return 0;
}

#include <stdio.h>

typedef struct { double re, im; } cpx;
typedef struct { float x, y, z; } vec;

/* Structures of an iteration: declared in it or before, copied as a whole, given to functions and returned. */
static cpx times(cpx a, cpx b) {
    cpx r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}

static void butterflies(int n, int half, const cpx *w, const cpx *x, cpx *y) {
    cpx up, down;
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < half; j++) {
            up = x[2 * (i * half + j)];
            down = x[2 * (i * half + j) + 1];
            down.im = -down.im;
            y[2 * (i * half + j)].re = up.re + w[j].re * down.re - w[j].im * down.im;
            y[2 * (i * half + j)].im = up.im + w[j].re * down.im + w[j].im * down.re;
            y[2 * (i * half + j) + 1] = up;
        }
}

static void multiply(int n, const cpx *a, const cpx *b, cpx *c) {
    for (int i = 0; i < n; i++) {
        cpx t = times(a[i], b[i]), one = {1, 0};
        c[i] = times(t, one);
    }
}

static void pull(int n, const vec *at, vec *force) {
    for (int i = 0; i < n; i++) {
        vec sum = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            vec d = at[j];
            d.x -= at[i].x, d.y -= at[i].y, d.z -= at[i].z;
            float q = 1 + d.x * d.x + d.y * d.y + d.z * d.z; // exact, in whatever order it is summed up
            sum.x += q * d.x, sum.y += q * d.y, sum.z += q * d.z;
        }
        force[i] = sum;
    }
}

/* Here a value is wanted afterwards, and by the next iteration. */
static cpx last(int n, const cpx *a, cpx *b) {
    cpx before = {0, 1}, at;
    for (int i = 0; i < n; i++) {
        at = a[i];
        b[i].re = at.re + before.re;
        b[i].im = at.im - before.im;
        before = at;
    }
    at.re += before.im;
    return at;
}

/* Where the others lie, the first member says. */
typedef struct { int next, val; } node;
static node list[40];

static void follow(int n, int m, int *sum) {
    for (int i = 0; i < n; i++) {
        node at = list[i];
        int s = 0;
        for (int j = 0; j < m; j++) {
            s += at.val;
            at = list[at.next];
        }
        sum[i] = s;
    }
}

static void shorten(int n) {
    for (int i = 0; i < n; i++) list[i] = list[list[i].next];
}

int main(void) {
    static cpx w[4], x[48], y[48], z[48], u[48];
    static vec p[30], f[30];
    for (int i = 0; i < 48; i++) {
        x[i].re = i % 7 - 3;
        x[i].im = i % 5;
    }
    for (int i = 0; i < 4; i++) w[i] = x[i + 9];
    for (int i = 0; i < 30; i++) {
        p[i].x = i % 4;
        p[i].y = i % 9;
        p[i].z = i;
    }
    butterflies(6, 4, w, x, y);
    multiply(48, x, y, z);
    pull(30, p, f);
    int sum[40];
    for (int i = 0; i < 40; i++) {
        list[i].next = (i * 7 + 3) % 40;
        list[i].val = i;
    }
    follow(40, 3, sum);
    shorten(40);
    follow(40, 2, sum);
    cpx l = last(48, z, u);
    double s = l.re + l.im;
    for (int i = 0; i < 48; i++) s += y[i].re * i - y[i].im + z[i].re + z[i].im * i + u[i].re - u[i].im;
    for (int i = 0; i < 40; i++) s += sum[i] * i;
    for (int i = 0; i < 30; i++) s += f[i].x + f[i].y * i + f[i].z;
    printf("%.9g\n", s);
    return 0;
}

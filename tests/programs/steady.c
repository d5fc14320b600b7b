/* Numbers that each iteration moves by the same, on a line or round a ring, sums of several terms, and what is only nearly so. */
#include <math.h>
#include <stdio.h>

#ifndef N
#define N 20000
#endif

static double x[N], y[N];
static double h = 0.25, total, of_terms, alternating, product = 1;
static float narrow;
static long count;
static unsigned wrapped;
static short bins[8];

/* The area below a curve, whose place moves. */
static void area(int n, double left, double step) {
    double at = left;
    total = 0;
    for (int i = 0; i < n; i++) {
        at = at + step;
        total = total + sqrt(at) * step;
    }
    x[0] = at;
}

/* Both ways, from any first value, read before and behind the step. */
static void table(int n, double first) {
    double rising = first, falling = first;
    for (int i = n - 1; i >= 0; i -= 2) {
        x[i] = rising;
        rising += h;
        falling -= 2 * h;
        y[i] = rising * falling;
    }
    y[0] = rising + falling;
}

/* A sign that changes at each term, exactly. */
static void series(int n) {
    double sign = -1, odd = -1;
    int turn = 1;
    alternating = 0;
    count = 0;
    for (int i = 1; i <= n; i++) {
        sign = -sign;
        turn = -1 * turn;
        odd += 2;
        alternating = alternating + sign / odd;
        count = count + turn * i - 1;
    }
    y[1] = sign;
}

/* Sums and products of several terms, each with one place for the sum. */
static void terms(int n) {
    for (int i = 0; i < n; i++) {
        of_terms = x[i] / (1 + y[i] * y[i]) + (of_terms - y[i] * 0.5 + 1);
        product = product * (1 + 1e-5 * cos(x[i])) * (1 - 1e-5 * sin(y[i]));
        narrow = narrow + 0.5f * (i % 3) - 0.25;
        wrapped = wrapped - (unsigned char)i + 2147483647u * i;
    }
    for (int i = 0; i < n; i++)
        bins[i & 7] = bins[i & 7] + i - 3;
}

/* Places in rings: of a size that the call gives, with holes in the mask, from outside, backwards, without a sign. */
static double filtered(int n, int at, int mask, const double *buffer) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += y[i] * buffer[at];
        at = (at + 2) & mask;
    }
    return sum + at;
}

static int circled(int n, int at, int step, int size, const double *buffer) {
    unsigned back = at;
    for (int i = n - 1; i >= 0; i--) {
        at = (step + at) % size;
        back = 1023u & (back + ~0u);
        x[i] = buffer[at] - buffer[back];
    }
    return at + (int)back;
}

static int grown(int n, int at, const double *buffer) {
    for (int i = 0; i < n; i++) { // decline: no loop here is parallel
        at = (at + i) & 1023;
        x[i] += buffer[at];
    }
    return at;
}

/* The last digit decides how often, or which: it stays C's. */
static void decided(int n) {
    double at = 0;
    long above = 0;
    for (int i = 0; i < n; i++) { // decline: no loop here is parallel
        at += 0.1;
        y[i] = floor(at * 10);
        if (at > 100.05)
            above++;
    }
    count += above;
}

/* The step grows; the sign changes now and then. */
static void unsteady(int n) {
    double at = 0, step = h;
    for (int i = 0; i < n; i++) { // decline: no loop here is parallel
        at += step;
        step = step * 1.0001 + 0.01 * at;
        x[i] = at;
    }
}

static void now_and_then(int n) {
    double sign = 1;
    for (int i = 0; i < n; i++) { // decline: no loop here is parallel
        if (y[i] > 30)
            sign = -sign;
        x[i] = sign * y[i];
    }
}

static double checked(void) {
    double sum = total + of_terms + alternating + product + narrow + count + wrapped;
    for (int i = 0; i < N; i++)
        sum += x[i] - 0.5 * y[i];
    for (int i = 0; i < 8; i++)
        sum += bins[i];
    return sum;
}

int main(void) {
    area(N, 1.5, 0.001);
    table(N, -3.25);
    series(N - 1);
    terms(N);
    printf("%.6g\n", checked());
    for (int i = 0; i < 8; i++) {
        total += filtered(1024, i, 1023, x) + filtered(900, 5000 + i, 1000 + i, x) + filtered(i, i, -1, x);
        count += circled(3000, i, 1 + 2 * i, 512 - i, y + 4000) + circled(i, -i, -1, 7, y + 4000);
    }
    count += grown(N / 100, 3, y);
    unsteady(N / 100);
    now_and_then(N);
    decided(N);
    printf("%.6g\n", checked());
    return 0;
}

/* 0 and -0 compare equal: which of them a maximum or minimum is depends on the order, and a sum of nothing but -0 is -0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { n = 1500, rows = 30, columns = 50, bins = 8 };
static double a[n], b[n], x[rows][columns], most[rows], before[n], sums[n], h[bins], y[rows], c[rows];
static float f[n];
static int key[n], start[rows + 1];
static void make(int pattern) {
    unsigned r = 7 + pattern;
    for (int i = 0; i < n; i++) {
        r = r * 1103515245u + 12345u;
        int minus = pattern == 0 || pattern == 1 && i % 3 != 1 || pattern == 2 && i % 3 == 1 || pattern > 2 && r >> 20 & 1;
        a[i] = pattern == 4 && (r >> 16) % 7 ? -1.0 : minus ? -0.0 : 0.0;
        b[i] = i % 2 ? -a[i] : a[i];
        f[i] = (float)a[i];
        key[i] = (r >> 8) % bins;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) x[i][j] = a[i * columns + j];
    for (int i = 0; i <= rows; i++) start[i] = i * i * n / (rows * rows);
}
static double le(double m) {
    for (int i = 0; i < n; i++) m = a[i] <= m ? a[i] : m;
    return m;
}
static double otherwise(double m) {
    for (int i = 0; i < n; i++) m = m < a[i] ? m : a[i];
    return m;
}
static double otherwise_equal(double m) {
    for (int i = 0; i < n; i++) m = m >= a[i] ? m : a[i];
    return m;
}
static double gt(double m) {
    for (int i = 0; i < n; i++)
        if (a[i] > m) m = a[i];
    return m;
}
static float ge(float m) {
    for (int i = n - 1; i >= 0; i--)
        if (f[i] >= m) m = f[i];
    return m;
}
static void behind_pointer(int count, const float *v, float *m) {
    for (int i = 0; i < count; i++)
        if (*m > v[i]) *m = v[i];
}
static double two(double m) {
    for (int i = 0; i < n; i++) {
        if (a[i] > m) m = a[i];
        if (i % 3) {
            if (b[i] > m) m = b[i];
        }
    }
    return m;
}
static double of_matrix(double m) {
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < columns; j++)
            if (x[i][j] > m) m = x[i][j];
    return m;
}
static double of_uneven_rows(double m) {
    for (int i = 0; i < rows; i++)
        for (int k = start[i]; k < start[i + 1]; k++) m = a[k] >= m ? a[k] : m;
    return m;
}
static void of_rows(void) {
    for (int i = 0; i < rows; i++) {
        double m = -INFINITY;
        for (int j = 0; j < columns; j++)
            if (x[i][j] >= m) m = x[i][j];
        most[i] = m;
    }
}
static void into_rows(void) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (x[i][j] < y[i]) y[i] = x[i][j];
}
static void so_far(double m) {
    for (int i = 0; i < n; i++) {
        m = a[i] >= m ? a[i] : m;
        before[i] = m;
    }
}
static void so_far_of_pairs(void) {
    for (int i = 1; i < n; i++) sums[i] = sums[i - 1] > b[i] ? sums[i - 1] : b[i];
}
static int place(double *value) {
    double m = -1;
    int at = -1;
    for (int i = 0; i < n; i++)
        if (a[i] >= m) {
            m = a[i];
            at = i;
        }
    *value = m;
    return at;
}
static double sum(double s) {
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
static double difference(double s) {
    for (int i = 0; i < n; i++) s -= b[i] * 2 + (key[i] - key[i]);
    return s;
}
static float minus_whole(float s) {
    for (int i = 0; i < n; i++) s -= key[i] / bins;
    return s;
}
static double under_condition(double s, int k) {
    for (int i = 0; i < n; i++)
        if (key[i] < k) s += a[i];
    return s;
}
static double product(double p) {
    for (int i = 0; i < 3; i++) p *= a[i];
    return p;
}
static void add_up(double s) {
    for (int i = 0; i < n; i++) {
        s += a[i];
        sums[i] = s;
    }
}
static void count(void) {
    for (int i = 0; i < n; i++) h[key[i]] += a[i];
}
static void times(void) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) y[i] += x[i][j] * b[j];
}
static void of_columns(void) {
    for (int i = 0; i < rows; i++) {
        double s = -0.0;
        for (int k = start[i]; k < start[i + 1]; k++) s += a[k] * b[0];
        c[i] = s;
    }
}
static void show(const char *what, double v) { printf("%s %a\n", what, v); }
int main(void) {
    static const double first[] = {0.0, -0.0, -1, 1};
    for (int pattern = 0; pattern < 5; pattern++) {
        make(pattern);
        for (int k = 0; k < 4; k++) {
            double m = first[k], v;
            float w = (float)m;
            show("le", le(m)), show("otherwise", otherwise(m)), show("otherwise_equal", otherwise_equal(m));
            show("gt", gt(m)), show("ge", ge((float)m)), show("two", two(m)), show("of_matrix", of_matrix(m));
            behind_pointer(n, f, &w), show("behind_pointer", w), show("of_uneven_rows", of_uneven_rows(m));
            printf("%d ", place(&v)), show("place", v);
            show("sum", sum(m)), show("difference", difference(m)), show("minus_whole", minus_whole((float)m));
            show("under_condition", under_condition(m, 3 * k)), show("product", product(m));
            for (int i = 0; i < rows; i++) y[i] = m;
            into_rows();
            for (int i = 0; i < rows; i += 4) show("into_rows", y[i]);
            times();
            for (int i = 0; i < rows; i += 4) show("times", y[i]);
            so_far(m), add_up(m);
            for (int i = 0; i < n; i += 199) show("so_far", before[i]), show("add_up", sums[i]);
            so_far_of_pairs();
            for (int i = 0; i < n; i += 199) show("so_far_of_pairs", sums[i]);
            for (int i = 0; i < bins; i++) h[i] = m;
            count();
            for (int i = 0; i < bins; i++) show("count", h[i]);
        }
        of_rows(), of_columns();
        for (int i = 0; i < rows; i += 4) show("of_rows", most[i]), show("of_columns", c[i]);
    }
    return 0;
}

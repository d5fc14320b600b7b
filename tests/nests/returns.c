/* Functions that return before their end, from loops and from branches, where a loop calls them; one leaves numbers at
 * an address, too. */
#include <stdio.h>

static double first_below(const double *t, int n, double x)
{
    for (int k = 0; k < n; k++) {
        if (x < t[k])
            return k + x;
    }
    return -1;
}

static int from_everywhere(int *count, double x)
{
    if (x < 0.2)
        return 0;
    if (x < 0.5) {
        *count += 1;
        return 1;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (i * j * 0.2 > x)
                return 10 * i + j;
    *count += 2;
    return 2;
}

static void limited(double *v, int i)
{
    if (v[i] > 0.9) {
        v[i] = 0.9;
        return;
    }
    v[i] *= 1.01;
}

int main(void)
{
    static double t[9], x[500], y[500];
    static int z[500], counts[500];
    for (int k = 0; k < 9; k++)
        t[k] = 0.1 * (k + 1);
    for (int i = 0; i < 500; i++)
        x[i] = (i * 37 % 101) / 101.0;
    for (int i = 0; i < 500; i++) {
        int count = 0;
        y[i] = first_below(t, 9, x[i]);
        z[i] = from_everywhere(&count, x[i]);
        counts[i] = count;
    }
    for (int i = 0; i < 500; i++)
        limited(x, i);
    long sum = 0;
    for (int i = 0; i < 500; i++)
        sum += (long)(1e6 * y[i]) + z[i] + counts[i] + (long)(1e6 * x[i]);
    printf("%ld\n", sum);
    return 0;
}

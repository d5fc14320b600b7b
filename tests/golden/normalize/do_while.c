/* Loops that test behind their iterations: counted, where one counts, and left alone. */
void counted(int n, int steps, double *a, double *b)
{
    int t = 0;
    do {
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) a[i] = b[i];
        t++;
    } while (t < steps);
}

void downwards(int least, double *a)
{
    int k = 8;
    do {
        a[k] = k;
        k -= 2;
    } while (k >= least);
}

/* The first value is no number, the counter moves away from its limit, or the test stands for other than the counter. */
void left_alone(int n, int m, double *a)
{
    int i = m, j = 9, k = 0;
    do {
        a[i] += 1;
        i++;
    } while (i < n);
    do {
        a[j] += 1;
        j--;
    } while (j < n);
    do {
        a[k] += 1;
        k++;
    } while (2 * k < n);
}

/* With pointers that change places: the counter says whose turn it is. */
void exchanged(int n, int steps, double *a, double *b)
{
    int t = 0;
    do {
        for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *c = a;
        a = b;
        b = c;
        t++;
    } while (t < steps);
}

/* `while` loops, and `for` loops without a beginning, that count; and some that do not. */
void counted(int n, int m, double a[n][m], double *x, double *y) {
    int i = 0;
    while (i < n) {
        x[i] = 2 * x[i];
        i++;
    }
    int l = n - 1;
    while (l >= 0) {
        int k = 0;
        double s = 0;
        while (k < m) {
            s += a[l][k];
            k += 1;
        }
        y[l] = s;
        --l;
    }
    int j = 2;
    for (; j < n; j++)
        y[j] += x[j];
}

void not_counted(int n, double *x, double *y) {
    int i = 0;
    while (i < n) {
        x[i] = 2 * x[i];
        if (x[i] > 1)
            i++;
        i++;
    }
    int k = 0;
    while (k < n) {
        if (y[k] < 0) {
            k++;
            continue;
        }
        y[k] = 1;
        k++;
    }
}

int wanted_after(int n, double *x) {
    int i = 1;
    while (i < n) {
        x[i] = i;
        i++;
    }
    return i;
}

/* The largest runs of statements: a call that is not known ends one, and a loop of such calls belongs to none. */
void other(void);

void runs(int n, double a[n], double b[n]) {
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    other();
    for (int i = 0; i < n; i++)
        b[i] += a[i];
    for (int i = 0; i < n; i++)
        other();
}

int without_a_loop(int n) {
    return n + 1;
}

void zero(int n, double *a) {
    while (n--)
        a[n] = 0;
}

void unsigned_ones(unsigned n, double *a) {
    for (unsigned i = n; i-- > 0;)
        a[i] = 1;
}

/* The counter is read behind the loop. */
int kept(int n, double *a) {
    while (n-- > 0)
        a[n] = 0;
    return n;
}

/* A loop that counts down in its condition counts at its head, unless its counter is read behind it. */
void down(unsigned n, double *x) {
    while (n--) x[n] = n;
}
int read_behind(int n, double *x) {
    while (n-- > 0) x[n] = 1;
    return n;
}

/* Pointers that count, but not from a place of an array to another one of the same. */
void two_arrays(double *p, double *end) {
    while (p < end)  // decline: this loop counts by a pointer
        *p++ = 1;
}

double *read_behind(int n, double *a) {
    double *p;
    for (p = a; p < a + n; p++)  // decline: this loop counts by a pointer
        *p = 1;
    return p;
}

void end_that_moves(int n, double *a) {
    double *end = a + n;
    for (double *p = a; p < end; p++)  // decline: this loop counts by a pointer
        if (*p > 3) end--;
}

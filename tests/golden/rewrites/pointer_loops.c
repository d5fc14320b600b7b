void scale(int n, double *a) {
    for (double *p = a; p < a + n; p++)
        *p = 2 * *p;
}

/* Each iteration moves it by what the data say. */
void hop(int n, double *a, const int *by) {
    for (double *p = a; p < a + n; p += by[0])
        *p = 1;
}

/* A copy of what was there before says nothing of how far an array reaches: the call asks. */
void perhaps(int n, double *a, const double *b) {
    for (int i = 0; i < n; i++)
        if (b[i] > 3)
            a[i] = a[i + 1] + b[i];
}

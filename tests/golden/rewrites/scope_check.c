static double scale = 2;

static void doubled(int n, double *a) {
    for (int j = 0; j < n; j++)
        a[j] *= scale;
}

/* Here the name means something else. */
void hidden(int n, int m, double *a) {
    int scale = n;
    for (int i = 0; i < scale; i++)
        doubled(m, a + i * m);
}

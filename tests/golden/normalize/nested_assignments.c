/* Assignments that are surely made before all else is done with their value are statements. */
void recurrence(int n, double c, double s, const double *x, double *y) {
    double w, wr, wi;
    for (int i = 0; i < n; i++) {
        wr = x[i], wi = 1;
        wr = (w = wr) * c - wi * s + wr;
        y[i] = w = wr + w;
    }
}

int search(int n, const int *x, int *y) {
    int d, k = 0;
    for (int i = 0; i < n; i++) {
        while ((d = x[i] - k) > 0 && d != 3)
            k += ++d;
        for (; (d = k / 2) > 0; k--)
            if (d == 5) continue;
        do
            k++;
        while ((d = k % 7) != 0);
        y[i] = (d = k) > 3 ? d : 0;
    }
    return k;
}

/* In no order, perhaps, or behind what continues. */
void others(int n, const int *x, int *y) {
    int t = 0;
    for (int i = 0; i < n; i++) {
        y[i] = (t = x[i]) + t;
        y[i] += x[i] && (t = 2);
        do
            if (x[i] > t) continue;
        while ((t = t + y[i]) < 9);
    }
}

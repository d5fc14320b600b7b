void draw(int n, unsigned s, double *x) {
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        x[i] = s / 4294967296.0;
    }
}

/* The data decide how often it draws. */
void draw_some(int n, unsigned s, double *x) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0) {
            s = s * 1664525u + 1013904223u;
            x[i] = s / 4294967296.0;
        }
}

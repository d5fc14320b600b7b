/* All calls of a function stand in loops of other regions: its own region is dropped, and that of what it calls. */
static float squares(const float *a, const float *b, int m) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static float distance(const float *a, const float *b, int m) {
    float most = 0;
    for (int j = 0; j < m; j++) most = a[j] > most ? a[j] : most;
    return squares(a, b, m) + most;
}

/* In parallel. */
void all(int n, int m, const float *x, const float *y, float *d) {
    for (int i = 0; i < n; i++) d[i] = distance(x, y + i * m, m);
}

/* In order, but calls stay for their cost alone. */
int nearest(int n, int m, const float *x, const float *y) {
    float least = 1e30f;
    int at = -1;
    for (int i = 0; i < n; i++) {
        float d = squares(x, y + i * m, m);
        if (d < least) {
            least = d;
            at = i;
        }
    }
    return at;
}

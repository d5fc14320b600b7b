/* Regions that stay. */
static float once(const float *a, int m) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += a[j];
    return sum;
}

static float handed(const float *a, int m) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += a[j] * a[j];
    return sum;
}

float outside(const float *a, int m) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += 2 * a[j];
    return sum;
}

static float again(const float *a, int m, int depth) {
    float sum = 0;
    for (int j = 0; j < m; j++) sum += 3 * a[j];
    return depth > 0 ? sum + again(a, m / 2, depth - 1) : sum;
}

static void step(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
}

/* Each call of `once` but one, each of `handed`, whose address is taken, each of `outside` that is in this file. */
void rows(int n, int m, const float *x, float *d, float (*f[2])(const float *, int)) {
    for (int i = 0; i < n; i++) d[i] = once(x + i * m, m) + handed(x + i * m, m) + outside(x + i * m, m);
    d[0] += once(x, n * m) + again(x, m, 3);
    f[0] = handed;
}

/* Steps in order, which may stay because arrays overlap. */
void steps(int t, int n, float *a, float *b) {
    for (int i = 0; i < t; i++) {
        step(n, a, b);
        step(n, b, a);
    }
}

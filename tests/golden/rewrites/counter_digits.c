/* The two coordinates of one index, of rows that the loop's end is a multiple of. */
void transposed(int w, int h, const float *a, float *b) {
    for (int i = 0; i < w * h; i++) {
        int x = i % w, y = i / w;
        b[x * h + y] = a[i];
    }
}

/* Three, the remainder by a difference. */
void planes(int w, int h, int d, const float *a, float *b) {
    for (int i = 0; i < d * h * w; i++) {
        int z = i / (w * h), y = i / w % h, row = i / w;
        int x = i - row * w;
        b[(x * h + y) * d + z] = a[i];
    }
}

/* An end that may be anything, and one that the first coordinate has by itself. */
void whole_rows(int n, int w, int m, const float *a, float *b) {
    for (int i = 0; i < n; i++)
        b[i % w * m + i / w] = a[i % w];
}

void guarded(int n, int w, int h, const float *a, float *b) {
    for (int i = 0; i < n; i++) {
        int y = i / w;
        if (y >= h)
            continue;
        b[y * w + i % w] = a[y];
    }
}

/* Shifts and masks. */
void powers(int n, const float *a, float *b) {
    for (unsigned i = 0; i < 64u * n; i++)
        b[(i & 63) * n + (i >> 6)] = a[i];
}

/* Left alone: short rows, one part alone, sizes that change, a way out, other sizes. */
void pairs(int n, int m, int w, const float *a, float *b) {
    for (int i = 0; i < 2 * n; i++)
        b[i / 2] += a[i % 2];
    for (int i = 0; i < 64 * n; i++)
        b[i] = a[i / 64];
    for (int i = 0; i < n * m; i++) {
        b[i % w * n + i / w] = a[i];
        w++;
    }
    for (int i = 0; i < n * m; i++) {
        if (a[i % m] < 0)
            break;
        b[i / m] = a[i % m];
    }
    for (int i = 0; i < n * m; i++)
        b[i / n] = b[i / m];
    for (int i = 0; i < n; i++)
        b[i] = a[i / w] + a[i % w];
}

/* Parts that are set behind their declaration; a counter that nobody reads behind the loop, with a word on its iterations. */
void set_parts(int n, int w, int row, float *a) {
    int k, x, y;
    #pragma omp parallel for private(x, y)
    for (k = 0; k < w * n; k++) {
        y = k / w;
        x = k % w * 4;
        for (int i = 0; i < 4; i++)
            a[y * row + x + i] = i;
    }
}

/* A variable that holds a part and then something else; a counter that is read behind its loop. */
int no_set_parts(int n, int w, float *a) {
    int k;
    for (k = 0; k < w * n; k++) {
        int y;
        y = k / w;
        a[y * w + k % w] = 0;
        y = 0;
        a[y] = k;
    }
    for (k = 0; k < w * n; k++)
        a[k / w * w + k % w] += 1;
    return k;
}

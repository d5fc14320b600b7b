/* A pointer that an iteration sets is known until something else moves it. */
void window(int n, int w, const double *a, double *out) {
    const double *p;
    for (int i = 0; i < n; i++) {
        p = a + i * w;
        for (int y = 0; y < 3; y++) {
            for (int x = 0; x < w - 3; x++) out[i] += *p++;
            p += 3;
        }
    }
}
void behind_loops_that_may_not_run(int n, int w, const double *a, double *out) {
    const double *p;
    for (int i = 0; i < n; i++) {
        p = a + i;
        for (int x = 0; x < w; x++) p++;
        out[i] = *p;
    }
}
void weights(int n, int m, const double *w, const double *a, double *out) {
    for (int j = 0; j < n; j++) {
        out[j] = *w++;
        for (int k = 0; k < m; k++) out[j] += *w++ * a[k];
    }
}
void either_way(int n, const double *a, double *out) {
    for (int i = 0; i < n; i++)
        if (a[i] > 0) *out++ = a[i];
        else *out++ = 0;
}
void set_again(int n, int w, const double *a, double *out) {
    const double *p;
    for (int i = 0; i < n; i++) {
        p = a + i;
        out[i] = *p;
        if (out[i] > 0) {
            p += w;
            out[i] += *p++;
            p = a;
            out[i] += *++p;
        }
    }
}
void lost_behind_a_condition(int n, const double *a, double *out) {
    const double *p;
    for (int i = 0; i < n; i++) {
        p = a + i;
        if (out[i] > 0) p++;
        out[i] = *p;
    }
}
void moved_by_what_the_head_moves(int n, const double *p, double *out) {
    int k = 1;
    for (int i = 0; i < n; i++, k += 2) {
        out[i] = *p;
        p += k;
    }
}
void moved_by_what_changes_behind(int n, int k, const double *p, double *out) {
    p += k, k = 3;
    for (int i = 0; i < n; i++) out[i] = p[i];
}
void moved_by_what_is_gone(int n, const double *p, double *out) {
    {
        int k = n / 2;
        p += k;
    }
    for (int i = 0; i < n; i++) out[i] = p[i];
}

/* Pointers that are read behind loops which move them: the call site sets them. */
double *layer(int n, int m, double *restrict o, const double *restrict w, const double *restrict in) {
    for (int j = 0; j < n; j++) {
        double sum = *w++;
        for (int k = 0; k < m; k++) sum += *w++ * in[k];
        *o++ = sum;
    }
    for (int j = 0; j < n; j++) *o++ = *w;
    return o;
}

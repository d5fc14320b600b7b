void copy(int n, double *q, const double *p) {
    for (int i = 0; i < n; i++)
        *q++ = *p++;
}

/* Nobody knows how far it came. */
void pack(int n, double *q, const double *p) {
    for (int i = 0; i < n; i++)
        if (p[i] > 0)
            *q++ = p[i];
}

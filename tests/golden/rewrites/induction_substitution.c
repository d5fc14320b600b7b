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

/* A number that a `switch` declares is set nowhere behind it. */
void chosen(int kind, int n, int m, const double *w, double *sums) {
    switch (kind) {
    case 1: {
        int k = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                sums[i] += w[k++];
    }
    }
}

/* What a directive inside a loop, or around it, takes from one that calls the loop's iterations independent. */
void captured(int n, const int *key, int h[16]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp atomic capture` on line 6 says that they meet there
        int k;
#pragma omp atomic capture
        {
            k = h[key[i]];
            h[key[i]] = i;
        }
        h[k & 15] = 0;
    }
}

void captured_at_once(int n, const int *key, int h[16], int out[n]) {
#pragma omp parallel for  // decline: this loop of `omp parallel for` is kept on the host: line 20: an assignment inside an expression
    for (int i = 0; i < n; i++) {
        int k;
#pragma omp atomic capture
        k = h[key[i]]++;  // decline: an assignment inside an expression, under `#pragma omp atomic capture` on line 19
        out[i] = k;
    }
}

void written(int n, const int *key, int *h) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp atomic write` on line 28 says that they meet there
#pragma omp atomic write
        h[key[i]] = i;
    }
}

void exclusive(int n, const int *key, double a[64], const double x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp critical` on line 36 says that they meet there
#pragma omp critical(of_a)
        a[key[i]] = 0.5 * a[key[i]] + x[i];
    }
}

static void halve(double *at, double more) {
#pragma omp critical
    *at = 0.5 * *at + more;
}

void in_a_function(int n, const int *key, double *a, const double *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)  // decline: `#pragma omp critical` on line 42 says that they meet there
        halve(&a[key[i]], x[i]);
}

void accelerated(int n, const int *key, double *a, const double *x) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {  // decline: `#pragma acc atomic update` on line 55 says that they meet there
#pragma acc atomic update
        a[key[i]] = x[i] / a[key[i]];
    }
}

void in_order(int n, const int *key, double *a, const double *x) {
#pragma omp parallel for ordered schedule(static)
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp ordered` on line 63 leaves nothing of what a directive says
#pragma omp ordered
        a[key[i]] = 0.5 * a[key[i]] + x[i];
    }
}

void ordered_by_the_clause(int n, const int *key, double *a, const double *x) {
#pragma omp for ordered
    for (int i = 0; i < n; i++)  // decline: `#pragma omp for ordered` on line 69 leaves nothing of what a directive says
        a[key[i]] = 0.5 * a[key[i]] + x[i];
}

void fenced(int n, const int *key, double *a, const double *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp flush` on line 77 leaves nothing of what a directive says
#pragma omp flush
        a[key[i]] = 0.5 * a[key[i]] + x[i];
    }
}

void by_one(int n, const int *key, double *a, const double *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp single` on line 85 leaves nothing of what a directive says
#pragma omp single
        a[key[i]] = 0.5 * a[key[i]] + x[i];
    }
}

void by_the_first(int n, const int *key, double *a, const double *x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp masked` on line 93 leaves nothing of what a directive says
#pragma omp masked
        a[key[i]] = 0.5 * a[key[i]] + x[i];
#pragma omp barrier
    }
}

void of_each_thread(int n, const int *len, const double *x, double *y) {
    double own[100];
#pragma omp parallel for firstprivate(own)
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp parallel for` on line 101 gives each thread, not each iteration
        for (int k = 0; k < len[i]; k++)
            own[k] = x[k + i];
        y[i] = own[len[i] / 2];
    }
}

void declared_in_the_team(int n, const int *len, const double *x, double *y) {
#pragma omp parallel
    {
        double own[100];
#pragma omp for
        for (int i = 0; i < n; i++) {  // decline: `#pragma omp parallel` on line 110 gives each thread, not each iteration
            for (int k = 0; k < len[i]; k++)
                own[k] = x[k + i];
            y[i] = own[len[i] / 2];
        }
    }
}

static double kept[100];
#pragma omp threadprivate(kept)

void of_the_file(int n, const int *len, const double *x, double *y) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {  // decline: `#pragma omp threadprivate` on line 123 gives each thread, not each iteration
        for (int k = 0; k < len[i]; k++)
            kept[k] = x[k + i];
        y[i] = kept[len[i] / 2];
    }
}

void by_a_clause(int n, const int *key, double *h, const double *x) {
#pragma omp parallel for reduction(max : h[:16])  // decline: this loop of `omp parallel for` is kept on the host: line 137: the directive promises
    for (int i = 0; i < n; i++)
        h[key[i]] = 0.5 * h[key[i]] + x[i];  // decline: the directive promises that `h` is only accumulated by `max`
}

void by_an_operator(int n, const int *key, double *h, const double *x) {
#pragma omp parallel for reduction(halves : h[:16])
    for (int i = 0; i < n; i++)  // decline: `#pragma omp parallel for` on line 141 says that they meet there
        h[key[i]] = 0.5 * h[key[i]] + x[i];
}

double lost_behind(int n, const double *x, double *y) {
    double t = 5;
#pragma omp parallel for firstprivate(t)
    for (int i = 0; i < n; i++) {  // decline: each thread sets a copy of `t`, says `#pragma omp parallel for` on line 148
        y[i] = x[i];
        t = x[i] + 1;
    }
    return t;
}

void head_in_branches(int n, double *a) {
#ifdef SMALL
    for (int i = 0; i < n / 2; i++)
#else
    for (int i = 0; i < n; i++)  // decline: reaches across its bounds
#endif
        a[i] = 0;
}

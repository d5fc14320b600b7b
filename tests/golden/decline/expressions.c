/* Expressions whose effects a region cannot keep apart. */
void inside(int n, double *a, double *b) {
    for (int i = 0; i < n; i++)
        a[i] = (b[i] = 2) + b[i];  // decline: an assignment inside an expression
}

void unsaid(int n, int t, const int *a, int *b) {
    for (int i = 0; i < n; i++)
        b[i] = (t = a[i]) + t;  // decline: an assignment inside an expression
}

void perhaps(int n, int t, const int *a, int *b) {
    for (int i = 0; i < n; i++)
        b[i] = a[i] > 5 ? (t = a[i]) : t;  // decline: an assignment inside an expression
}

void counted(int n, int *k, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = k[i]++;  // decline: an assignment inside an expression
}

void by_statement(int n, double *a) {
    for (int i = 0; i < n; i++)
        a[i] = ({ double t = i; t * t; });  // decline: C that is not modelled: a block of statements that has a value
}

/* C that is not modelled may read the variables that it names; of the others, all is known. */
struct part {
    int *from;
    int value;
};
int use(struct part);

int reads_the_last(int n, int *a) {
    int i, last = 0;
    for (i = 0; i < n; i++) {
        last = 2 * i;
        a[i] = last + 1;
    }
    return use(({ struct part made = { a, last }; made; }));
}

int names_another(int n, int *a, const int *b) {
    int i, old, *p;
    for (i = 0; i < n; i++) {
        p = a;
        old = p[i];
        p[i] = old + b[i];
    }
    return use(({ struct part made = { a, n }; made; }));
}

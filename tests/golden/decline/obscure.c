/* Pointers that C which is not modelled may read, or that a jump may bring to another iteration. */
struct part {
    int *from;
    int value;
};
int use(struct part);

int names_the_pointer(int n, int *a) {
    int i, *p;
    for (i = 0; i < n; i++) {
        p = a;  // decline: a pointer or aggregate is used as a value here
        p[i] += 1;
    }
    return use((struct part){ p, n });
}

int reads_first(int n, int *a, int *b) {
    int i, *p = b;
    for (i = 0; i < n; i++) {
        a[i] = p[i];
        p = a;  // decline: a pointer or aggregate is used as a value here
    }
    return use((struct part){ a, n });
}

int comes_back(int n, int *a, int *b) {
    int i, *p;
again:
    for (i = 0; i < n; i++) {
        p = a;  // decline: a pointer or aggregate is used as a value here
        p[i] += b[i];
    }
    if (use((struct part){ p, n })) goto again;
    return 0;
}

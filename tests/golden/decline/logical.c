/* Truth values whose operands C may not evaluate, and threads would. */
int divided(int n, const int *v, const int *by) {
    int all = 1;
    for (int i = 0; i < n; i++)  // decline: iterations depend on each other through `all`
        all = all && v[i] / by[i] > 2;
    return all;
}

static int table[10];
int chosen(int n, const int *at) {
    int any = 0;
    for (int i = 0; i < n; i++)  // decline: iterations depend on each other through `any`
        any = any || table[at[i]] > 2;
    return any;
}

/* With the remedy: it is evaluated always. */
int evaluated(int n, const int *v, const int *by, const int *at) {
    int all = 1, any = 0;
    for (int i = 0; i < n; i++) {
        all &= v[i] / by[i] > 2;
        any |= table[at[i]] > 2;
    }
    return all + any;
}

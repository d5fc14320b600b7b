/* Control that leaves a loop, or that only the data know. */
int find(int n, const double *a) {
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            return i;  // decline: `return` leaves the region
    return -1;
}

void jump(int n, double *a) {
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            goto out;  // decline: `goto`
        a[i] = 1;
    }
out:;
}

void choose(int n, const int *kind, double *a) {
    for (int i = 0; i < n; i++)
        switch (kind[i]) {  // decline: `switch` inside a parallel loop is not modelled
        case 0:
            a[i] = 1;
            break;
        default:
            a[i] = 2;
        }
}

void stop(int n, double *a) {
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            break;  // decline: this jump
        a[i] = 1;
    }
}

void skip(int n, double *a) {
    for (int i = 0; i < n; i++) {
        if (n > 3) {
            if (a[i] < 0)
                continue;  // decline: this jump
            a[i] = 1;
        }
        a[i] += 1;
    }
}

void assembly(int n, double *a) {
    for (int i = 0; i < n; i++) {
        __asm__("nop");  // decline: C that is not modelled: assembly code
        a[i] = 1;
    }
}

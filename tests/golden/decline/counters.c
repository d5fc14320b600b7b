/* Loops that are not counted, and counters that are used elsewhere. */
void assigned(int n, double *a) {
    for (int i = 0; i < n; i++) {  // decline: the loop's counter is assigned in its body
        a[i] = 1;
        if (a[i] > 0)
            i++;
    }
}

void squared(int n, double *a) {
    for (int i = 0; i * i < n; i++)  // decline: this condition does not compare the loop's counter
        a[i] = 1;
}

void doubled(int n, double *a) {
    for (int i = 1; i < n; i *= 2)  // decline: this loop is not a counted one
        a[i] = 1;
}

int kept(int n, double *a) {
    short i;
    for (i = 0; i < n; i += 2)  // decline: `i` is read behind this loop
        a[i] = 1;
    return i;
}

void endless(int n, double *a) {
    for (int i = 0; i > n; i++)  // decline: this condition does not stop a counter that moves this way
        a[i] = 1;
}

void real(double *a) {
    for (double t = 0; t < 1; t += 0.25)  // decline: this loop is not a counted one
        a[(int)(4 * t)] = t;
}

/* Integers that a loop changes in turn: in each turn they are constants. */
void flag(int n, int steps, double *u[2]) {
    int cur = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            u[1 - cur][i] = u[cur][i - 1];
        cur = 1 - cur;
    }
}

int left(int n, int steps, double u[3][n]) {
    int old = 2, now = 0, next;
    for (int t = 1; t <= steps; t++) {
        next = (now + 1) % 3;
        for (int i = 0; i < n; i++)
            u[next][i] = 2 * u[now][i] - u[old][i];
        old = now;
        now = next;
    }
    return now;
}

void pointers(int n, int steps, double *u, double *v) {
    double *buffers[2];
    buffers[0] = u;
    buffers[1] = v;
    unsigned k = 0;
    for (int t = 0; t < steps; t++, n += 0) {
        double *a = buffers[k], *b = buffers[k ^ 1u];
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1];
        k ^= 1;
    }
}

int until(int n, double limit, double (*u)[64]) {
    int cur = 0;
    double sum = 0.0;
    do {
        sum = 0.0;
        for (int i = 1; i < 64; i++) {
            u[!cur][i] = 0.5 * (u[cur][i - 1] + u[cur][i]);
            sum += u[cur][i];
        }
        cur = !cur;
    } while (sum > limit);
    return cur;
}

/* By the counter there is nothing to take in turns: the remainder is affine. */
void counter(int n, int steps, double u[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            u[(t + 1) & 1][i] = u[t & 1][i - 1];
}

/* What it begins with is not known. */
void unknown(int n, int steps, int cur, double u[2][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            u[1 - cur][i] = u[cur][i - 1];
        cur = 1 - cur;
    }
}

/* Only the data know when it changes. */
void sometimes(int n, int steps, double u[2][n]) {
    int cur = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            u[1 - cur][i] = u[cur][i - 1];
        if (u[0][0] > 0)
            cur = 1 - cur;
    }
}

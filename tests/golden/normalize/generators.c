/* Generators that a loop draws from a fixed number of times an iteration jump ahead; one of a thread's own, and one that a
   condition draws from, stay. */
void schrage(int m, int n, int *seed, double r[]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            int k = *seed / 127773;
            *seed = 16807 * (*seed - k * 127773) - k * 2836;
            if (*seed < 0) *seed = *seed + 2147483647;
            r[i + j * m] = *seed * 4.656612875E-10;
        }
}
void between(int n, unsigned long long *s, double *x, double (*v)[3]) {
    for (int i = 1; i <= n; i++) {
        *s = 6364136223846793005ull * *s + 1442695040888963407ull;
        x[i] = *s >> 33;
        for (int k = 0; k < 3; k++) {
            *s = 6364136223846793005ull * *s + 1442695040888963407ull;
            v[i][k] = *s >> 33;
        }
        *s = 6364136223846793005ull * *s + 1442695040888963407ull;
        x[i] += *s >> 33;
    }
}
void own(int n, double *x) {
    for (int i = 0; i < n; i++) {
        unsigned s = i;
        for (int k = 0; k < 20; k++) {
            s = s * 1664525u + 1013904223u;
            x[i] += s;
        }
    }
}
void sometimes(int n, int *s, double *x) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0.5) {
            *s = (106 * *s + 1283) % 6075;
            x[i] = *s;
        }
}
void wraps(int n, unsigned *s, double *x) {
    for (int i = 0; i < n; i++) {
        *s = 16807u * *s % 2147483647u;
        x[i] = *s;
    }
}

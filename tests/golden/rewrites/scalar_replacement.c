struct pair { double re, im; };

void conjugate(int n, struct pair *u, struct pair *v) {
    for (int i = 0; i < n; i++) {
        struct pair w = u[i];
        w.im = -w.im;
        v[i] = w;
    }
}

/* What is left of a loop that does not convert has a `break` that ends it: no region of its own. */
#include <stdio.h>
static int found;
static void f5809(int n, int *b, double *c) {
    float s0 = 0;
    int s2 = 0;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n - 1; i++) {
            s0 += b[i];
        }
        if (s0 > 36) {
            break;
        }
        s2 = 2;
        for (int i = n - 1; i > -1; i -= 3) {
            c[i] *= b[2 * i] > 5 ? -1 : 1;
        }
        if (s2 % 97 < c[1]) {
            found = printf("%d\n", t);
        }
    }
}
int main(void) {
    int b[40];
    double c[20];
    for (int i = 0; i < 40; i++) b[i] = i % 9 - 3;
    for (int i = 0; i < 20; i++) c[i] = i;
    f5809(20, b, c);
    for (int i = 0; i < 20; i++) printf("%g ", c[i]);
    printf("%d\n", found);
    return 0;
}

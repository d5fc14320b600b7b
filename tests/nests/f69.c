/* A counter that the kernel which joins takes, too, was held for the number of the parts. */
#include <stdio.h>
static void f69(int n, int m, int *f) {
#pragma rt shape(f: 7)
    for (int t = 0; t < 3; t++) {
        for (int i0 = 6; i0 >= 1; i0--) {
            float w6[4];
            for (int p1 = 0; p1 < 4; p1++) {
                w6[p1] = (((1 + f[p1])) % 97);
            }
            for (int p2 = 0; p2 < 4; p2++) {
                f[i0] &= (int)(w6[p2]);
            }
        }
    }
}
int main(void) {
    int f[8];
    for (int i = 0; i < 8; i++) f[i] = i * 7 % 5 - 3;
    f69(4, 9, f);
    for (int i = 0; i < 8; i++) printf("%d ", f[i]);
    puts("");
    return 0;
}

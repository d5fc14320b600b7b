/* Found by drawn function 40969: a write under conditions of the statement's own, of which one never holds. No iteration
   of `j` makes it, and no subscript or guard says which thread owns it. */
#include <stdio.h>

static double b[14], d[17], e[400];

static void f40969(int n, int m)
{
    for (int i = 0; i <= (n - 1 < 2 ? n - 1 : 2); i++) {
        if (b[i] > 2 || i == 3) {
            for (int j = 0; j < n - 2; j++) {
                if (i == 3)
                    d[i] *= e[(i - j + 10) * (n + m + 1) + n - j - 3] < 0 ? -1 : 1;
            }
        }
    }
}

int main(void)
{
    for (int k = 0; k < 14; k++)
        b[k] = k % 4 + 0.5, d[k] = k;
    for (int k = 0; k < 400; k++)
        e[k] = k % 3 - 1;
    f40969(13, 10);
    for (int k = 0; k < 17; k++)
        printf("%g\n", d[k]);
    return 0;
}

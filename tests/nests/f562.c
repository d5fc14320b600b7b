#include <math.h>
#include <stdio.h>

void f562(int n, int m, unsigned char d[n + 6], double (*e)[7]) {
    double s0 = 0;
    long j1;
    int t;
    for (long i0 = 0; i0 <= n - 1; i0++) {
        for (j1 = 0; j1 <= 5; j1 += 3) {
            float t1 = ((((int)i0 * 3 - d[j1] * 7)) % 97);
            s0 += fmod(((t1 + e[n - i0 - 1][i0]) - ((int)i0 + (int)i0)), 97.0);
        }
    }
    t = 0;
    while (t < 2 && s0 < 2) {
        for (int i2 = 0; i2 <= 4; i2++) {
            d[i2] = (int)(fmin(fmax(5 * 7 * i2 * fmin(fmax(s0, -99.0), 99.0), -99.0), 99.0));
        }
        t++;
    }
}

int main(void) {
    static unsigned char d[20];
    static double e[10][7];
    for (int k = 0; k < 10; k++) {
        d[k] = d[k + 10] = k * 3 % 7;
        for (int l = 0; l < 7; l++) {
            e[k][l] = (k + l * 5) % 11 - 6;
        }
    }
    f562(6, 7, d, e);
    int sum = 0;
    for (int k = 0; k < 20; k++) {
        sum = (3 * sum + d[k]) % 9973;
    }
    printf("%d\n", sum);
    return 0;
}

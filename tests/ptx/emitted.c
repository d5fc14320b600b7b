// Loops whose kernels run as PTX, at sizes that are known, so that the launches stand in the emitted text.
#include <math.h>
#include <stdlib.h>

void product(const double a[96][64], const double b[64][128], double c[96][128])
{
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 128; j++) {
            double s = 0;
            for (int k = 0; k < 64; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

void sums(const float *restrict a, float *restrict s)
{
    for (int i = 0; i < 64; i++) {
        float t = 0;
        for (int k = 0; k < 512; k++)
            t += a[i * 512 + k];
        s[i] = t;
    }
}

void transpose(const float a[100][70], float b[70][100])
{
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 100; j++)
            b[i][j] = a[j][i];
}

void gather(const int *restrict index, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < 3000; i++)
        b[i] = 2 * a[index[i]] + sqrt(a[i]) + exp(-a[i]);
}

void integers(const int *restrict a, int *restrict b)
{
    for (int i = 0; i < 3000; i++) {
        int x = a[i] + 1, y = 0;
        while (x != 1 && y < 100) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            y++;
        }
        b[i] = (y << 3) ^ (a[i] * 7) / 3;
    }
}

void counts(const unsigned char *restrict a, int *restrict n)
{
    for (int i = 0; i < 20000; i++)
        n[a[i]]++;
}

int main(void)
{
    return 0;
}

// Three matrices in the rows of one: subscripts are products that no shape makes affine, and end where each counter is largest.
#include <stdio.h>
#include <stdlib.h>
void att(float *out, const float *inp, int B, int T, int C, int NH) {
    int C3 = C * 3, hs = C / NH;
    for (int b = 0; b < B; b++) // original: a size of `inp` is negative
    for (int t = 0; t < T; t++)
        for (int h = 0; h < NH; h++) {
            const float *q = inp + b * T * C3 + t * C3 + h * hs;
            for (int t2 = 0; t2 <= t; t2++) {
                const float *k = inp + b * T * C3 + t2 * C3 + h * hs + C;
                float s = 0;
                for (int i = 0; i < hs; i++) s += q[i] * k[i];
                out[b * NH * T * T + h * T * T + t * T + t2] = s;
            }
        }
}
int main(void) {
    int B = 2, T = 9, C = 12, NH = 3;
    float *all = malloc(sizeof(float) * (B * T * C * 3 + B * NH * T * T)), *inp = all, *out = all + B * T * C * 3;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < B * T * C * 3; i++) inp[i] = (i * 7 % 11) * 0.25f - 1;
        for (int i = 0; i < B * NH * T * T; i++) out[i] = 0;
        att(out, inp, B, T - k, C, NH);
        double s = 0;
        for (int i = 0; i < B * NH * T * T; i++) s += out[i] * (i % 5 + 1);
        printf("%.6g\n", s);
    }
    att(out, inp, 1, 0, C, NH);
    printf("%g\n", out[3]);
    free(all);
}

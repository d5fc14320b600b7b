/* Rows of elements of several axes, whose lanes share loops: what they join, what each has of its own through a loop around, what
   elements add to together, and what lanes would need of each other. All values are exact, in any order. */
#include <stdio.h>
enum { B = 3, T = 21, C = 150, W = 90 };
static float in[B][T][C], out[B][T][C], weight[C], dweight[C], bias[C], mean[B][T];
static float a[B][T][T], v[B][T][W], mixed[B][T][W], turned[B][T][W], moved[B][T][W];
static double top[B][T];

static void normalised(int nb, int nt, int nc) {
    for (int b = 0; b < nb; b++)
        for (int t = 0; t < nt; t++) {
            float m = 0, s = 0;
            for (int i = 0; i < nc; i++) m += in[b][t][i];
            m = (float)((int)m / 64);
            for (int i = 0; i < nc; i++) s += (in[b][t][i] - m) * (in[b][t][i] - m);
            s = 0.25f * (float)(1 + (int)s % 8);
            for (int i = 0; i < nc; i++) out[b][t][i] = s * (in[b][t][i] - m) * weight[i] + bias[i];
            mean[b][t] = m;
        }
}

static void gradients(int nb, int nt, int nc) {
    for (int b = 0; b < nb; b++)
        for (int t = 0; t < nt; t++) {
            float s = 0;
            for (int i = 0; i < nc; i++) s += out[b][t][i] * in[b][t][i];
            for (int i = 0; i < nc; i++) {
                dweight[i] += out[b][t][i] * (s > 0 ? 1 : 2);
                in[b][t][i] += s > 0 ? weight[i] : -1;
            }
        }
}

static void attention(int nb, int nt, int nw) {
    for (int b = 0; b < nb; b++)
        for (int t = 0; t < nt; t++) {
            float all = 0;
            for (int k = 0; k <= t; k++) all += a[b][t][k];
            for (int i = 0; i < nw; i++) mixed[b][t][i] = 0;
            for (int k = 0; k <= t; k++) {
                float x = a[b][t][k] * (all > 40 ? 0.5f : 0.25f);
                for (int i = 0; i < nw; i++) mixed[b][t][i] += x * v[b][k][i];
            }
        }
}

/* A number that a turn leaves for the next, and an array of the thread that is read beside where it was written. */
static void carried(int nb, int nt, int nw) {
    for (int b = 0; b < nb; b++)
        for (int t = 0; t < nt; t++) {
            float all = 0, last = 0, own[W], next[W];
            for (int k = 0; k < nt; k++) all += a[b][t][k];
            for (int i = 0; i < nw; i++) own[i] = v[b][t][i];
            for (int k = 0; k <= t; k++) {
                for (int i = 0; i < nw; i++) turned[b][t][i] = all * v[b][k][i] + last;
                for (int i = 0; i < nw; i++) last = v[b][k][i] * 0.5f;
            }
            for (int k = 0; k <= t; k++) {
                for (int i = 0; i < nw; i++) next[i] = own[(i + 1) % nw] + 0.25f * v[b][k][i];
                for (int i = 0; i < nw; i++) own[i] = next[i];
            }
            for (int i = 0; i < nw; i++) moved[b][t][i] = own[i];
        }
}

static void greatest(int nb, int nt, int nc) {
    for (int b = 0; b < nb; b++)
        for (int t = 0; t < nt; t++) {
            double m = -1e30;
            for (int i = 0; i < nc; i++)
                if (in[b][t][i] > m) m = in[b][t][i];
            top[b][t] = m;
        }
}

int main(void) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            for (int i = 0; i < C; i++) in[b][t][i] = (float)((b * 7 + t * 13 + i * 5) % 31) - 11;
            for (int k = 0; k < T; k++) a[b][t][k] = 1 + (float)((b + t * 3 + k) % 5);
            for (int i = 0; i < W; i++) v[b][t][i] = (float)((b * 3 + t + i * 7) % 17) * 0.25f;
        }
    for (int i = 0; i < C; i++) weight[i] = 1 + (float)(i % 3), bias[i] = (float)(i % 4), dweight[i] = (float)(i % 5);
    normalised(B, T, C);
    gradients(B, T, C);
    attention(B, T, W);
    carried(B, T, W);
    greatest(B, T, C);
    double s[6] = {0};
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            for (int i = 0; i < C; i++) s[0] += out[b][t][i] * (i % 7), s[1] += in[b][t][i] * (i % 5);
            for (int i = 0; i < W; i++) s[2] += mixed[b][t][i] * (i % 3), s[3] += turned[b][t][i] * (i % 4), s[4] += moved[b][t][i] * (i % 6);
            s[5] += top[b][t] + mean[b][t];
        }
    for (int i = 0; i < C; i++) s[1] += dweight[i];
    for (int k = 0; k < 6; k++) printf("%.3e\n", s[k]);
    return 0;
}

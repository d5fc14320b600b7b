#define NULL ((void *)0)
void add(int n, float *a, const float *bias, const float *scale, int k) {
    for (int i = 0; i < n; i++) {
        a[i] += bias != NULL ? bias[i] : 0.5f;
        if (scale) a[i] *= scale[i];
        if (!bias && scale + k && &a[i] != &a[k]) a[i] -= 1;
    }
}

static float half(float x) { return x / 2; }
void ask(int n, float *a, float (*f)(float)) {
    for (int i = 0; i < n; i++)
        if (f && f != &half && half) a[i] += 1;
}

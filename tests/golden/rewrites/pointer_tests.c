#define NULL ((void *)0)
void add(int n, float *a, const float *bias, const float *scale, int k) {
    for (int i = 0; i < n; i++) {
        a[i] += bias != NULL ? bias[i] : 0.5f;
        if (scale) a[i] *= scale[i];
        if (!bias && scale + k && &a[i] != &a[k]) a[i] -= 1;
    }
}

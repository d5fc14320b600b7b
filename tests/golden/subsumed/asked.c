/* A region that is marked stays, though another has all calls of its function. */
static float sum(const float *a, int m) {
    float sum = 0;
#pragma rt region name(own)
    for (int j = 0; j < m; j++) sum += a[j];
#pragma rt end
    return sum;
}

void rows(int n, int m, const float *x, float *d) {
#pragma rt region name(all)
    for (int i = 0; i < n; i++) d[i] = sum(x + i * m, m);
#pragma rt end
}

/* How often each value occurs. */
#include "kernels.h"

static void histogram_bytes(long n, const unsigned char *value, int count[256]) {
    for (int k = 0; k < 256; k++)
        count[k] = 0;
    for (long i = 0; i < n; i++)
        count[value[i]]++;
}

ROW(histogram_bytes) {
    long n = size[0];
    unsigned char *value = bytes(n, size[1]);
    int *count = ints(256, 9);
    for (int run = 0; run < runs; run++)
        histogram_bytes(n, value, count);
    free(value), free(count);
}

static void histogram_keys(long n, int bins, const int *key, int count[bins]) {
    for (int k = 0; k < bins; k++)
        count[k] = 0;
    for (long i = 0; i < n; i++)
        count[key[i]]++;
}

ROW(histogram_keys) {
    long n = size[0], bins = size[1];
    int *key = ints(n, size[2]), *count = ints(bins, 9);
    for (int run = 0; run < runs; run++)
        histogram_keys(n, bins, key, count);
    free(key), free(count);
}

/* The sum of the weights that go with each key. */
static void histogram_weights(long n, int bins, const int *key, const float *weight, float sum[bins]) {
    for (int k = 0; k < bins; k++)
        sum[k] = 0;
    for (long i = 0; i < n; i++)
        sum[key[i]] += weight[i];
}

ROW(histogram_weights) {
    long n = size[0], bins = size[1];
    int *key = ints(n, size[2]);
    float *weight = floats(n), *sum = floats(bins);
    for (int run = 0; run < runs; run++)
        histogram_weights(n, bins, key, weight, sum);
    free(key), free(weight), free(sum);
}

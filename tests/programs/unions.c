// Layers whose parameters lie in a union by their kind, and members of structures without a name: numbers read there are
// the loops' own, also behind a store in the same union by another name.
#include <stdio.h>
#include <stdlib.h>

struct layer {
    int kind, width, height;
    double *in, *out, *weights;
    union {
        struct { int size, padding, stride; } filter;
        struct { int every; double scale; } pool;
    } data;
};

struct bounds {
    union { double value; unsigned long bits; };
    struct { double low, high; };
};

static void filter(const struct layer *l) {
    int size = l->data.filter.size;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            double sum = 0;
            for (int dy = 0; dy < size; dy++)
                for (int dx = 0; dx < size; dx++) {
                    int from_y = y * l->data.filter.stride + dy - l->data.filter.padding;
                    int from_x = x * l->data.filter.stride + dx - l->data.filter.padding;
                    if (from_y >= 0 && from_y < 2 * l->height && from_x >= 0 && from_x < 2 * l->width)
                        sum += l->in[from_y * 2 * l->width + from_x] * l->weights[dy * size + dx];
                }
            l->out[y * l->width + x] = sum;
        }
}

static void pool(struct layer *l) {
    for (int i = 0; i < l->width * l->height; i++) l->out[i] = l->in[i * l->data.pool.every] * l->data.pool.scale;
}

static void clip(int n, const struct bounds *b, double *a) {
    for (int i = 0; i < n; i++) {
        a[i] = a[i] < b->low ? b->low : a[i] > b->high ? b->high : a[i];
        a[i] += b->value;
    }
}

// The one member is set, the other read.
static void punned(int n, struct bounds *b, double *a) {
    for (int i = 0; i < n; i++) {
        b->bits = (unsigned long)i << 52; // decline: this is a member of a union or of a structure without a name
        a[i] += b->value;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 24;
    struct layer first = {.width = n, .height = n}, second = {.kind = 1, .width = n / 2, .height = n / 2};
    first.in = malloc(4 * n * n * sizeof(double));
    first.out = second.in = malloc(n * n * sizeof(double));
    second.out = malloc(n / 2 * (n / 2) * sizeof(double));
    first.weights = malloc(9 * sizeof(double));
    for (int i = 0; i < 4 * n * n; i++) first.in[i] = i % 13 - 6;
    for (int i = 0; i < 9; i++) first.weights[i] = i % 4 - 1.5;
    first.data.filter.size = 3, first.data.filter.padding = 1, first.data.filter.stride = 2;
    second.data.pool.every = 4, second.data.pool.scale = 0.25;
    struct bounds b = {.value = 0.5};
    b.low = -2, b.high = 3;
    for (int step = 0; step < 3; step++) { // original: first_out and second_in overlap, and one of them is written
        filter(&first);
        pool(&second);
        clip(n / 2 * (n / 2), &b, second.out);
    }
    punned(n / 2 * (n / 2), &b, second.out);
    double sum = 0;
    for (int i = 0; i < n / 2 * (n / 2); i++) sum += second.out[i] * (i % 5);
    printf("%g\n", sum);
    free(first.in), free(first.out), free(second.out), free(first.weights);
}

/* What pointers to pointers lead to, and helpers that change what they are given the place of. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 150
#endif

struct image {
    unsigned char *raster;
    size_t height, width;
};

typedef struct {
    double at[2], angle;
    int index;
} Bird;

typedef struct {
    Bird *birds;
    double side;
    int n;
} Flock;

static void create(struct image **im, size_t height, size_t width) {
    *im = malloc(sizeof **im);
    (*im)->height = height;
    (*im)->width = width;
    (*im)->raster = calloc(3 * height, width);
}

static int get(struct image *im, int y, int x, int c) { return im->raster[3 * (y * im->width + x) + c]; }

static void set(struct image *im, int y, int x, int r, int g, int b) {
    im->raster[3 * (y * im->width + x) + 0] = r;
    im->raster[3 * (y * im->width + x) + 1] = g;
    im->raster[3 * (y * im->width + x) + 2] = b;
}

/* A border that wraps around; the counters are compared with unsigned sizes. */
static void energy(struct image *im, struct image **grad) {
    create(grad, im->height, im->width);
    for (int y = 0; y < im->height; y++)
        for (int x = 0; x < im->width; x++) {
            int dx, dy;
            if (x == 0 && y == 0)
                dx = get(im, y, x + 1, 0) - get(im, y, im->width - 1, 0), dy = get(im, im->height - 1, x, 1);
            else if (x == 0 && y == im->height - 1)
                dx = get(im, y, x + 1, 0) - get(im, y, im->width - 1, 0), dy = get(im, y - 1, x, 1);
            else if (x == im->width - 1 && y == 0)
                dx = get(im, y, 0, 0) - get(im, y, x - 1, 0), dy = get(im, im->height - 1, x, 1);
            else if (x == 0)
                dx = get(im, y, x + 1, 0) - get(im, y, im->width - 1, 0), dy = get(im, y - 1, x, 1);
            else if (x == im->width - 1)
                dx = get(im, y, 0, 0) - get(im, y, x - 1, 0), dy = get(im, y - 1, x, 1);
            else if (y == 0)
                dx = get(im, y, x + 1, 0) - get(im, y, x - 1, 0), dy = get(im, im->height - 1, x, 1);
            else
                dx = get(im, y, x + 1, 0) - get(im, y, x - 1, 0), dy = get(im, y - 1, x, 1);
            unsigned char e = (dx * dx + dy * dy) / 100;
            set(*grad, y, x, e, e / 2, e / 3);
        }
}

/* The bytes may be those of the pointer that leads to them. */
static void mark(struct image **im, int n) {
    for (int i = 0; i < n; i++)  // original: im_0_raster and im[0] overlap
        (*im)->raster[i] = i < (*im)->width ? (*im)->raster[i] : 1;
}

static void wrap(double *x, double side) {
    if (*x >= side)
        *x -= side;
    if (*x < 0)
        *x += side;
}

static void fly(Flock *f, double dt) {
    for (int i = 0; i < f->n; i++) {
        f->birds[i].at[0] += dt * f->birds[i].angle;
        f->birds[i].at[1] -= dt;
        wrap(&f->birds[i].at[0], f->side);
        wrap(&(*(f->birds + i)).at[1], f->side);
    }
}

int main(void) {
    struct image *im, *grad;
    create(&im, N, N + 2);
    for (int k = 0; k < 3 * N * (N + 2); k++)
        im->raster[k] = k * 7 % 251;
    energy(im, &grad);
    mark(&grad, 3 * N);
    long sum = 0;
    for (int k = 0; k < 3 * N * (N + 2); k++)
        sum += grad->raster[k] * (k % 13);
    printf("%ld\n", sum);

    struct image of_itself = {.height = 1, .width = sizeof(void *)}, *self = &of_itself;
    of_itself.raster = (unsigned char *)&self;
    mark(&self, sizeof(void *));
    printf("%d\n", self == &of_itself);

    Flock f = {malloc(N * sizeof(Bird)), 3, N};
    for (int i = 0; i < N; i++)
        f.birds[i] = (Bird){{i % 7 * 0.4, i % 5 * 0.5}, i % 11 * 0.3 - 1, i};
    for (int t = 0; t < 5; t++)
        fly(&f, 0.5);
    double x = 0;
    for (int i = 0; i < N; i++)
        x += f.birds[i].at[0] - f.birds[i].at[1] * f.birds[i].index;
    printf("%.6f\n", x);
    free(f.birds);
    free(grad->raster), free(grad), free(im->raster), free(im);
    return 0;
}

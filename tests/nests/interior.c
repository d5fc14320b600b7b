/* Functions with pointers into the interior of arrays, as codes with ghost cells have them: what they touch begins before the
 * pointer. All numbers are exact. */
#include <stdio.h>
#include <stdlib.h>

static void residual(const double *u, double *r, int n, int pencil, int plane)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int at = i + j * pencil + k * plane;
                r[at] = u[at - 1] + u[at + 1] + u[at - pencil] + u[at + pencil] + u[at - plane] + u[at + plane] - 6 * u[at];
            }
}
void clear(double *u, int n, int ghosts, int pencil, int plane)
{
    for (int k = -ghosts; k < n + ghosts; k++)
        for (int j = -ghosts; j < n + ghosts; j++)
            for (int i = -ghosts; i < n + ghosts; i++)
                u[i + j * pencil + k * plane] = 0.25 * (i + j) - k;
}
void line(double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++) x[i] += y[i - 2] - 2 * y[i - 1] + y[i];
}
struct box { int n, ghosts, pencil, plane; double *cells, *res; };
static void sweep(struct box *boxes, int n_boxes)
{
    for (int b = 0; b < n_boxes; b++) {
        int pencil = boxes[b].pencil, plane = boxes[b].plane, n = boxes[b].n, ghosts = boxes[b].ghosts, i, j, k;
        double *u = boxes[b].cells + ghosts * (1 + pencil + plane), *r = boxes[b].res + ghosts * (1 + pencil + plane);
        for (k = 0; k < n; k++) for (j = 0; j < n; j++) for (i = 0; i < n; i++) {
            int ijk = i + j * pencil + k * plane;
            r[ijk] = u[ijk + 1] - u[ijk - 1] + u[ijk + pencil] - u[ijk - pencil] + u[ijk + plane] - u[ijk - plane];
        }
    }
}
int main(void)
{
    int n = 20, g = 2, pencil = n + 2 * g, plane = pencil * pencil, all = plane * pencil;
    double *u = malloc(all * sizeof *u), *r = calloc(all, sizeof *r), s = 0;
    int off = g * (1 + pencil + plane);
    clear(u + off, n, g, pencil, plane);
    residual(u + off, r + off, n, pencil, plane);
    for (int i = 0; i < all; i++) s += r[i];
    printf("%.12g\n", s);
    line(r + 100, u + 100, all - 200);
    s = 0;
    for (int i = 0; i < all; i++) s += r[i] * (i % 3);
    printf("%.12g\n", s);
    struct box boxes[2] = {{n, g, pencil, plane, u, r}, {n - 3, g, pencil, plane, r, u}};
    sweep(boxes, 2);
    s = 0;
    for (int i = 0; i < all; i++) s += r[i] * (i % 3) + u[i];
    printf("%.12g\n", s);
    return 0;
}

/* C decides these before the arrays end: nothing behind the end may be touched. */
#include <stdio.h>
#include <stdlib.h>
static double w[10];
static int all_of(int n, const double *v) {
    int all = 1;
    for (int i = 0; i < n; i++)
        all = all && v[i] > 0;
    return all;
}
static int all_w(int n) {
    int all = 1;
    for (int i = 0; i < n; i++)
        all = all && w[i] > 0;
    return all;
}
static int chosen(int n, const double *v, const int *at) {
    int any = 0;
    for (int i = 0; i < n; i++)
        any = any || v[at[i]] < 0;
    return any;
}
static int decided(int n, const double *v, int all) {
    for (int i = 0; i < n; i++)
        all = all && v[i] > 0;
    return all;
}
int main(void) {
    double *v = malloc(10 * sizeof *v);
    int *at = malloc(100 * sizeof *at);
    for (int i = 0; i < 10; i++)
        v[i] = w[i] = i == 5 ? -1 : 1;
    for (int i = 0; i < 100; i++)
        at[i] = i < 6 ? i : 1000000000;
    printf("%d %d %d %d\n", all_of(1000, v), all_w(1000), chosen(100, v, at), decided(5, NULL, 0));
    free(v);
    free(at);
    return 0;
}

/* Shapes that no type tells: from a directive, and from the configuration. */
enum { HALO = 1 };
void gather(int n, int m, const int *where, const double *from, double *to, double *grid) {
#pragma rt shape(from: n + 2 * HALO)
    for (int i = 0; i < n; i++)
        to[i] = from[where[i]] + grid[where[i]];
}

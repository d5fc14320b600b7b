/* A block of more dimensions than its kernel has. */
void line(int n, double *a) {
#pragma rt block(32, 8)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

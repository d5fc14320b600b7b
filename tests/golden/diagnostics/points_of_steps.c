/* Points of a loop that counts by two. */
void every(int n, double *a) {
#pragma rt skew(4)
    for (int i = 0; i < n; i += 2)
        a[i] = 1;
}

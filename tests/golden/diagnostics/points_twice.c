/* Which of the two is meant? */
void line(int n, double *a) {
#pragma rt merge(i: 2, i: 4)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

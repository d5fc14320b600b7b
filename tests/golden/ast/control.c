/* Loops of every shape, and what is not modelled where it stands. */
int loops(int n, double *restrict a) {
    int i, j = 0, count = 0;
    for (i = 0, j = n; i != j; i++, j--)
        a[i] = -(a[j] - 1) * 2;
    for (int k = n - 1; k >= 0; k -= 3)
        if (a[k] > 0 && a[k] < 1 || !k)
            continue;
        else
            count++;
    while (count > 0)
        count = count & 1 ? count >> 1 : ~count;
    do {
        switch (count) {
        case 0: break;
        default: goto end;
        }
    } while (count > 9);
    do {
        switch (n) {
        case 0: break;
        default: count++;
        }
    } while (0);
end:
    return count;
}

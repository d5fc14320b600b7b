/* Where something is marked, only that is a candidate. */
void marked(int n, double a[n], double b[n]) {
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma rt region name(second)
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma rt end
}

void unmarked(int n, double a[n]) {
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

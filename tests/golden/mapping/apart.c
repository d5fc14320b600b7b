/* Only the bounds tell which i writes s[j]: no tile of several points is whole, and each point is tested. */
void blocks(int n, double *s, const double *t) {
#pragma rt merge(2)
    for (int i = 0; i < n; i++)
        for (int j = 8 * i; j < 8 * i + 8; j++)
            s[j] += t[i];
}

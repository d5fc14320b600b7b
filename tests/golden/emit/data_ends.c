/* Loops whose ends the data decide, over blocks of which nobody knows how far they go: held back, and watched now and then. */
void ragged(int n, const int *ptr, const float *v, float *s) {
    for (int i = 0; i < n; i++) {
        float t = 0;
        for (int j = ptr[i]; j < ptr[i + 1]; j++)
            t += v[j];
        s[i] = t;
    }
}

void chains(int n, const int *first, const int *next, int *length) {
    for (int i = 0; i < n; i++) {
        int k = first[i], l = 0;
        while (k >= 0) {
            k = next[k];
            l++;
        }
        length[i] = l;
    }
}

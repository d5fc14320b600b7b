/* Points of a thread that are asked for: those of a sum, a block apart; copies go with the points that suit them. */
void merged(int n, int nb, const int key[n], int h[nb]) {
#pragma rt merge(4)
    for (int i = 0; i < n; i++)
        h[key[i]]++;
}

void skewed(int n, int nb, const int key[n], int h[nb]) {
#pragma rt skew(4)
    for (int i = 0; i < n; i++)
        h[key[i]]++;
}

void blocks(int n, int nb, const int key[n], int h[nb]) {
#pragma rt block(128)
    for (int i = 0; i < n; i++)
        h[key[i]]++;
}

static const unsigned char bits[4][16] = {{1, 2, 3}};
static const float weight[3] = {0.25f, 0.5f, 0.25f};

/* Each thread looks up 16 elements that its datum names: the table is copied to shared memory. */
void count(int n, const unsigned int a[n], unsigned int sum[n]) {
    for (int i = 0; i < n; i++) {
        unsigned int s = 0;
        for (int k = 0; k < 16; k++)
            s += bits[k % 4][a[i] >> k & 15];
        sum[i] = s;
    }
}

/* Each thread looks up one: to copy the table would take longer. */
void once(int n, const unsigned int a[n], unsigned int sum[n]) {
    for (int i = 0; i < n; i++)
        sum[i] = bits[a[i] >> 4 & 3][a[i] & 15];
}

/* All threads look up the same: one load serves them. */
void smooth(int n, const float a[n], float b[n]) {
    for (int i = 1; i < n - 1; i++) {
        float s = 0;
        for (int k = 0; k < 3; k++)
            s += weight[k] * a[i + k - 1];
        b[i] = s;
    }
}

/* How long the table is, no one knows. */
void unknown(int n, int m, const int table[m], const int a[n], int sum[n]) {
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < 16; k++)
            s += table[a[i] >> k & 15];
        sum[i] = s;
    }
}

/* The region writes it. */
void written(int n, int table[16], const int a[n], int sum[n]) {
    for (int i = 0; i < 16; i++)
        table[i] = i * i;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < 16; k++)
            s += table[a[i] >> k & 15];
        sum[i] = s;
    }
}

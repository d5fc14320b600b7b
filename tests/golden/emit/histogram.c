/* Elements that the data select are updated atomically; the block is the user's. */
void histogram(int n, const unsigned char *image, int counts[256]) {
#pragma rt block(128)
    for (int i = 0; i < n; i++)
        counts[image[i]]++;
}

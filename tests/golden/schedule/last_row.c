/* What the last iteration leaves is brought back by a kernel of its own: within the product's, its sums would be in memory. */
void layer(int images, int places, int n, float x[images][places][n], const float w[n][n], float row[n]) {
    for (int image = 0; image < images; image++)
        for (int at = 0; at < places; at++) {
            for (int to = 0; to < n; to++)
                row[to] = 0;
            for (int from = 0; from < n; from++)
                for (int to = 0; to < n; to++)
                    row[to] += x[image][at][from] * w[from][to];
            for (int to = 0; to < n; to++)
                x[image][at][to] = row[to] > 0 ? row[to] : 0;
        }
}

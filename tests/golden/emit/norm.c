/* A reduction in two stages, with a single number coming back. */
float norm(int n, const float *x) {
    float greatest = 0;
    for (int i = 0; i < n; i++)
        if (x[i] > greatest)
            greatest = x[i];
    return greatest;
}

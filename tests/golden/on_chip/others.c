// v is read at a neighbour's point in the second phase.
void neighbour(int n, int steps, double u[n], double v[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] += u[i - 1] + u[i + 1];
        for (int i = 1; i < n - 1; i++)
            u[i] += v[i - 1];
    }
}

// Each step has other elements.
void rows(int n, int steps, double u[n], double w[steps][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            w[t][i] = u[i - 1] + u[i + 1];
        for (int i = 1; i < n - 1; i++)
            u[i] = w[t][i];
    }
}

// Not every step comes to v.
void sometimes(int n, int steps, double u[n], double v[n]) {
    for (int t = 0; t < steps; t++) {
        if (t % 3 == 1)
            for (int i = 1; i < n - 1; i++)
                v[i] += u[i - 1] + u[i + 1];
        for (int i = 1; i < n - 1; i++)
            u[i] *= 0.5;
        for (int i = 1; i < n - 1; i++)
            u[i] += u[n - 1];
    }
}

// The points of the two phases are other ones: a thread's in one are another's in the other.
void apart(int n, int steps, double u[n], double v[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] += u[i - 1] + u[i + 1];
        for (int i = 2; i < n - 2; i++)
            u[i] += v[i];
    }
}

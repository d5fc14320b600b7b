/* A loop whose end only the data know, with loops in it: a thread's where a loop around it is parallel, the host's where
 * none is. What an iteration declares is its own, whatever is said to be read of it. */
void cells(int n, double a[n][3], int steps[n]) {
    for (int c = 0; c < n; c++) {
        double u[3] = {a[c][0], a[c][1]}, size = 1;
        int k, it = 0;
        while (size > 1e-9) {
            size = 0;
            for (k = 0; k < 3; k++) {
                u[k] = u[k] / 2 - u[2 - k] / 3;
                size += u[k] * u[k];
            }
            it++;
        }
        for (k = 0; k < 3; k++)
            a[c][k] = u[k];
        steps[c] = it;
    }
}

void levels(int n, double a[n], double tol) {
    for (int level = 0; level < 5; level++) {
        double most = 1;
        while (most > tol) {
            most = 0;
            for (int i = 0; i < n; i++) {
                a[i] = a[i] / 2;
                most = most < a[i] ? a[i] : most;
            }
        }
        tol = tol / 3;
    }
}

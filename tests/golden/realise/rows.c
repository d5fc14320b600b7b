// Threads have loops of their own, over the rows of a sparse matrix: one kernel for all steps, because the user asks for
// it. `limit` is looked at by the host and by the device: in the kernel the number that was fetched has a name of its own.
#pragma rt shape(column: start[n])
#pragma rt shape(value: start[n])
#pragma rt shape(x: n)
void relax(int n, const int *start, const int *column, const double *value, double *x, double *r, double tolerance) {
    double rr = 0.0, scale = 1.0;
    for (int i = 0; i < n; i++)
        rr += x[i] * x[i];
    double limit = tolerance * rr;
    while (rr > limit) {
        rr = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * x[column[k]];
            r[i] = scale * sum;
            rr += r[i] * r[i];
        }
        scale = rr > 2.0 * limit ? 0.5 : 1.0;
        for (int i = 0; i < n; i++)
            x[i] -= r[i];
    }
}

/* The operators as plain loops over arrays of T. Included once for float and once for double: T is the type, OF(name)
 * the name of a function for it. Sums are doubles. A compressed matrix is `starts`, `indices`, `values`, as by rows. */

/* A tile of b, so many rows of so many columns, stays in the cache while all rows of a pass over it. */
#ifndef RTAPI_TILE
#define RTAPI_TILE 64
#define RTAPI_WIDE 512
#endif

/* c += the products of four elements of a row of a with their rows of b: c is read and written once for all four. */
static void OF(four_rows)(long n, long b_row, const T *a, const T *b, T *c)
{
    const T a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const T *b1 = b + b_row, *b2 = b1 + b_row, *b3 = b2 + b_row;
    for (long j = 0; j < n; j++) c[j] += (a0 * b[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
}

/* c (m x n) = a (m x k) b (k x n) */
static void OF(product)(long m, long n, long k, const T *a, const T *b, T *c)
{
    memset(c, 0, (size_t)m * (size_t)n * sizeof(T));
    for (long j0 = 0; j0 < n; j0 += RTAPI_WIDE) {
        const long j1 = n - j0 < RTAPI_WIDE ? n : j0 + RTAPI_WIDE;
        for (long p0 = 0; p0 < k; p0 += RTAPI_TILE) {
            const long p1 = k - p0 < RTAPI_TILE ? k : p0 + RTAPI_TILE;
            for (long i = 0; i < m; i++) {
                long p = p0;
                for (; p + 4 <= p1; p += 4)
                    OF(four_rows)(j1 - j0, n, a + i * k + p, b + p * n + j0, c + i * n + j0);
                for (; p < p1; p++)
                    for (long j = j0; j < j1; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
            }
        }
    }
}

static double OF(dot)(long n, const T *x, const T *y)
{
    double sum[4] = {0, 0, 0, 0};
    long i = 0;
    for (; i + 4 <= n; i += 4)
        for (int s = 0; s < 4; s++) sum[s] += (double)x[i + s] * (double)y[i + s];
    for (; i < n; i++) sum[0] += (double)x[i] * (double)y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Squares that leave the range of a double are summed again, scaled. */
static double OF(norm)(long n, const T *x)
{
    const double sum = OF(dot)(n, x, x);
    if (sum > 1e-280 && sum < 1e300) return sqrt(sum);
    double largest = 0, scaled = 0;
    for (long i = 0; i < n; i++) {
        const double size = fabs((double)x[i]);
        if (!(size <= largest)) largest = size; /* a NaN stays */
    }
    if (largest == 0 || !(largest <= DBL_MAX)) return largest;
    for (long i = 0; i < n; i++) scaled += ((double)x[i] / largest) * ((double)x[i] / largest);
    return largest * sqrt(scaled);
}

static void OF(product_with_vector)(long m, long n, const T *a, const T *x, T *y)
{
    for (long i = 0; i < m; i++) y[i] = (T)OF(dot)(n, a + i * n, x);
}

/* b (n x m) is the transpose of a (m x n): by tiles, so that neither is walked against its rows. */
static void OF(transpose)(long m, long n, const T *a, T *b)
{
    const long tile = 32;
    for (long i0 = 0; i0 < m; i0 += tile)
        for (long j0 = 0; j0 < n; j0 += tile)
            for (long i = i0; i < m && i < i0 + tile; i++)
                for (long j = j0; j < n && j < j0 + tile; j++) b[j * m + i] = a[i * n + j];
}

static void OF(outer)(long m, long n, const T *x, const T *y, T *c)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) c[i * n + j] = x[i] * y[j];
}

static void OF(fill)(long n, T value, T *x)
{
    for (long i = 0; i < n; i++) x[i] = value;
}

static void OF(scale)(long n, T alpha, T *x)
{
    for (long i = 0; i < n; i++) x[i] *= alpha;
}

static void OF(axpy)(long n, T alpha, const T *x, T *y)
{
    for (long i = 0; i < n; i++) y[i] += alpha * x[i];
}

/* What has the factor 0 is not read, as in BLAS. */
static void OF(add)(long n, T alpha, const T *x, T beta, const T *y, T *z)
{
    for (long i = 0; i < n; i++) z[i] = (alpha != 0 ? alpha * x[i] : 0) + (beta != 0 ? beta * y[i] : 0);
}

/* c (n columns) = a b, a by rows; with one column a product with a vector. */
static void OF(by_rows)(long rows, long n, const int *starts, const int *indices, const T *values, const T *b, T *c)
{
    if (n == 1) {
        for (long i = 0; i < rows; i++) {
            double sum = 0;
            for (int p = starts[i]; p < starts[i + 1]; p++) sum += (double)values[p] * (double)b[indices[p]];
            c[i] = (T)sum;
        }
        return;
    }
    memset(c, 0, (size_t)rows * (size_t)n * sizeof(T));
    for (long i = 0; i < rows; i++)
        for (int p = starts[i]; p < starts[i + 1]; p++)
            OF(axpy)(n, values[p], b + (long)indices[p] * n, c + i * n);
}

/* The same, a by columns. */
static void OF(by_columns)(long rows, long cols, long n, const int *starts, const int *indices, const T *values,
                           const T *b, T *c)
{
    memset(c, 0, (size_t)rows * (size_t)n * sizeof(T));
    for (long j = 0; j < cols; j++)
        for (int p = starts[j]; p < starts[j + 1]; p++)
            OF(axpy)(n, values[p], b + j * n, c + (long)indices[p] * n);
}

/* The same, a by entries. */
static void OF(by_entries)(long rows, long n, long count, const int *row, const int *col, const T *values, const T *b,
                           T *c)
{
    memset(c, 0, (size_t)rows * (size_t)n * sizeof(T));
    for (long p = 0; p < count; p++) OF(axpy)(n, values[p], b + (long)col[p] * n, c + (long)row[p] * n);
}

/* The values of c = a b by rows, where starts are known: Gustavson's method. `place` (a number a column, all -1) says
 * where the entry of a column stands in the row that is made. Columns come in the order in which they are met. */
static void OF(sparse_product)(long rows, const int *a_starts, const int *a_indices, const T *a, const int *b_starts,
                               const int *b_indices, const T *b, const int *starts, int *indices, T *values, int *place)
{
    for (long i = 0; i < rows; i++) {
        int end = starts[i];
        for (int p = a_starts[i]; p < a_starts[i + 1]; p++)
            for (int q = b_starts[a_indices[p]]; q < b_starts[a_indices[p] + 1]; q++) {
                const int j = b_indices[q];
                if (place[j] < starts[i]) {
                    place[j] = end;
                    indices[end] = j;
                    values[end++] = 0;
                }
                values[place[j]] += a[p] * b[q];
            }
    }
}

/* What stands on the diagonal of a row; 0 for nothing. */
static T OF(diagonal)(long i, const int *starts, const int *indices, const T *values)
{
    for (int p = starts[i]; p < starts[i + 1]; p++)
        if (indices[p] == i) return values[p];
    return 0;
}

/* Solves with a triangle by rows: of each row what lies beyond the diagonal on the triangle's side. A transposed one is
 * walked from its other end, and an unknown that is found leaves the equations that it is in. x starts as b. */
static void OF(solve)(long n, int is_upper, int is_unit, int is_transposed, const int *starts, const int *indices,
                      const T *values, T *x)
{
    const int is_forward = is_upper == is_transposed;
    for (long step = 0; step < n; step++) {
        const long i = is_forward ? step : n - 1 - step;
        const double divisor = is_unit ? 1 : (double)OF(diagonal)(i, starts, indices, values);
        double sum = (double)x[i];
        if (is_transposed) x[i] = (T)(sum /= divisor);
        for (int p = starts[i]; p < starts[i + 1]; p++) {
            if (is_upper ? indices[p] <= i : indices[p] >= i) continue;
            if (is_transposed)
                x[indices[p]] -= values[p] * (T)sum;
            else
                sum -= (double)values[p] * (double)x[indices[p]];
        }
        if (!is_transposed) x[i] = (T)(sum / divisor);
    }
}

/* ILU(0) in place (Saad, Iterative Methods for Sparse Linear Systems, 10.3.2): of each row, entry by entry, what the
 * rows before take from it, where it has an entry. `place` has a number a column, all -1. The row whose pivot is zero or
 * no number, or -1. */
static long OF(ilu0)(long n, const int *starts, const int *indices, T *values, int *place)
{
    for (long i = 0; i < n; i++) {
        for (int p = starts[i]; p < starts[i + 1]; p++) place[indices[p]] = p;
        for (int p = starts[i]; p < starts[i + 1] && indices[p] < i; p++) {
            const long k = indices[p];
            const T factor = values[p] /= OF(diagonal)(k, starts, indices, values);
            for (int q = starts[k]; q < starts[k + 1]; q++)
                if (indices[q] > k && place[indices[q]] >= 0) values[place[indices[q]]] -= factor * values[q];
        }
        for (int p = starts[i]; p < starts[i + 1]; p++) place[indices[p]] = -1;
        const double pivot = (double)OF(diagonal)(i, starts, indices, values);
        if (!(fabs(pivot) > 0 && fabs(pivot) <= DBL_MAX)) return i;
    }
    return -1;
}

/* IC(0) in place, of the lower triangle by rows, whose last entry of each row is the diagonal's (Saad, 10.3.5): two
 * rows are joined as sorted lists. The row whose pivot is not positive, or -1. */
static long OF(ic0)(long n, const int *starts, const int *indices, T *values)
{
    for (long i = 0; i < n; i++) {
        const int last = starts[i + 1] - 1;
        for (int p = starts[i]; p <= last; p++) {
            const long k = indices[p];
            double sum = (double)values[p];
            int q = starts[i], r = starts[k];
            while (q < p && r < starts[k + 1] - 1) {
                if (indices[q] == indices[r]) sum -= (double)values[q] * (double)values[r];
                const int step = indices[q] - indices[r];
                q += step <= 0;
                r += step >= 0;
            }
            if (k == i && !(sum > 0 && sum <= DBL_MAX)) return i;
            values[p] = (T)(k == i ? sqrt(sum) : sum / (double)values[starts[k + 1] - 1]);
        }
    }
    return -1;
}

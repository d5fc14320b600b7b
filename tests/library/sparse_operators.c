// Products with a sparse matrix in disguise. Before each function stands what it is, and how the entries of the matrix lie.
// All are called with a matrix of n rows and nnz entries whose columns are less than m < n: `start` by rows, `wide` in long
// integers, `start1` and `index1` counted from one, `row` of each entry.

// spmv rows
void by_rows(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
             const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
             double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// spmv rows
void added(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
           const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
           double y[n]) {
    for (int i = 0; i < n; i++)
        for (int p = start[i]; p < start[i + 1]; p++)
            y[i] += value[p] * x[index[p]];
}

// spmv rows
void zero_first(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                double y[n]) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            y[i] = y[i] + x[index[p]] * value[p];
    }
}

// spmv rows
void scaled_first(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int i = 0; i < n; i++) {
        y[i] *= beta;
        for (int p = start[i]; p < start[i + 1]; ++p)
            y[i] += alpha * value[p] * x[index[p]];
    }
}

// spmv rows
void while_loop(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                double y[n]) {
    int i = 0, p;
    for (i = 0; i < n; i++) {
        double s = 0;
        p = start[i];
        while (p < start[i + 1]) {
            s += value[p] * x[index[p]];
            p++;
        }
        y[i] = s;
    }
}

// spmv rows
void bounds_apart(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int i = 0; i < n; i++) {
        int begin = start[i], end = start[i + 1];
        double s = 0;
        for (int p = begin; p < end; p += 1)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// spmv rows
void values_apart(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++) {
            const int j = index[p];
            const double v = value[p];
            s = s + v * x[j];
        }
        y[i] = s;
    }
}

// spmv rows
void alpha_and_beta(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                    const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                    double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = alpha * s + beta * y[i];
    }
}

// spmv rows
void begins_with_result(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                        const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                        double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = y[i];
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// spmv rows
void begins_scaled(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                   const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                   double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = beta * y[i];
        for (int p = start[i]; p < start[i + 1]; p++)
            s -= value[p] * x[index[p]];
        y[i] = -s;
    }
}

// spmv rows
void subtracted(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] -= alpha * s;
    }
}

// spmv rows
void wide_pointers(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                   const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                   double y[n]) {
    for (long i = 0; i < n; i++) {
        double s = 0;
        for (long p = wide[i]; p < wide[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// spmv rows
void counted_from_one(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start1[i] - 1; p < start1[i + 1] - 1; p++)
            s += value[p] * x[index1[p] - 1];
        y[i] = s;
    }
}

// spmv rows
void entries_from_one(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 1; i <= n; i++) {
        y[i - 1] = 0;
        for (int p = start1[i - 1]; p < start1[i]; p++)
            y[i - 1] += value[p - 1] * x[index1[p - 1] - 1];
    }
}

// spmv rows
void last_included(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                   const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                   double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p <= start[i + 1] - 1; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// spmv rows
void turned_round(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; start[i + 1] > p; p = p + 1)
            s = x[index[p]] * value[p] + s;
        y[i] = s;
    }
}

// spmv rows
void some_rows(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
               const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
               double y[n]) {
    for (int i = 3; i < n - 2; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] += s;
    }
}

// spmv rows
void by_addresses(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = *(start + i); p < *(start + i + 1); p++)
            s += *(value + p) * *(x + *(index + p));
        *(y + i) = s;
    }
}

// spmv rows
void shifted_vectors(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                     const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m + 2],
                     double y[n]) {
    for (int i = 0; i < n - 1; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p] + 2];
        y[i + 1] = s;
    }
}

// spmv rows
void divided_by_minus(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += -(value[p] * x[index[p]]);
        y[i] = 2 * s - y[i];
    }
}

// spmv rows
void there_and_back(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                    const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                    double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * y[index[p]];
        x[i] += alpha * s;
    }
}

// spmv columns
void by_columns(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                double y[n]) {
    for (int j = 0; j < m; j++)
        for (int p = start[j]; p < start[j + 1]; p++)
            y[index[p]] += value[p] * x[j];
}

// spmv columns
void factor_apart(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int j = 0; j < m; j++) {
        for (int p = start[j]; p < start[j + 1]; p++) {
            int i = index[p];
            y[i] -= alpha * value[p] * x[j];
        }
    }
}

// spmv columns
void zeroed_before(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                   const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                   double y[n]) {
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int j = 0; j < m; j++)
        for (int p = start1[j]; p < start1[j + 1]; p++)
            y[index1[p - 1] - 1] += x[j] * value[p - 1];
}

// spmv triplets
void by_triplets(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                 const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                 double y[n]) {
    for (int p = 0; p < nnz; p++)
        y[row[p]] += value[p] * x[index[p]];
}

// spmv triplets
void places_apart(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int p = 0; p < nnz; p++) {
        int i = row[p], j = index1[p] - 1;
        y[i] = y[i] - alpha * (value[p] * x[j]);
    }
}

// spmv triplets
void some_triplets(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                   const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[n],
                   double y[n]) {
    for (int p = 5; p < nnz; p++)
        y[index[p]] += value[p] * x[row[p]];
}

// spmm rows
void several_vectors(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                     const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m][5],
                     double y[n][5]) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 5; c++) {
            double s = 0;
            for (int p = start[i]; p < start[i + 1]; p++)
                s += value[p] * x[index[p]][c];
            y[i][c] = alpha * s + beta * y[i][c];
        }
}

// spmm rows
void vectors_outside(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                     const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m * 5],
                     double y[n * 5]) {
    for (int c = 0; c < 5; c++)
        for (int i = 0; i < n; i++)
            for (int p = start[i]; p < start[i + 1]; p++)
                y[i * 5 + c] += value[p] * x[index[p] * 5 + c];
}

// spmm rows
void vectors_by_columns(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                        const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[4][m],
                        double y[4][n]) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 4; c++) {
            double s = 0;
            for (int p = start[i]; p < start[i + 1]; p++)
                s += value[p] * x[c][index[p]];
            y[c][i] = s;
        }
}

// spmm triplets
void triplets_of_vectors(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                         const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m][3],
                         double y[n][3]) {
    for (int p = 0; p < nnz; p++)
        for (int c = 0; c < 3; c++)
            y[row[p]][c] += value[p] * x[index[p]][c];
}

// spmm rows
void vectors_inside(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                    const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m][5],
                    double y[n][5]) {
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 5; c++)
            y[i][c] = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            for (int c = 0; c < 5; c++)
                y[i][c] += value[p] * x[index[p]][c];
    }
}

// spmm rows
void vectors_inside_by_hand(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                            const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m * 5],
                            double y[n * 5]) {
    for (int i = 0; i < n; i++)
        for (int p = start[i]; p < start[i + 1]; p++) {
            const double v = value[p];
            const int j = index[p];
            for (int c = 0; c < 5; c++)
                y[i * 5 + c] += alpha * v * x[j * 5 + c];
        }
}

// spmm columns
void columns_of_vectors(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                        const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m][3],
                        double y[n][3]) {
    for (int j = 0; j < m; j++)
        for (int p = start[j]; p < start[j + 1]; p++)
            for (int c = 0; c < 3; c++)
                y[index[p]][c] -= value[p] * x[j][c];
}

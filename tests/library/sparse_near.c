// Nearly products with a sparse matrix. Before each function stands a part of what is said of it, or nothing where it is not
// that near. Called as those of sparse_operators.c.

// near: a factor is computed for each entry
void scaled_by_place(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                     const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                     double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += p * value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: each entry has not one factor of the matrix and one of a vector
void squared(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
             const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
             double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: `x` is not picked by an index of each entry
void of_its_row(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                double y[n]) {
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[i];
        y[i] = s;
    }
}

// near: `value` is not walked through entry by entry
void every_second_value(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                        const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                        double y[n]) {
    for (int i = 0; i < 10; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[2 * p] * x[index[p]];
        y[i] = s;
    }
}

// near: no factor is walked through entry by entry
void value_of_row(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                  const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                  double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[i] * x[index[p]];
        y[i] = s;
    }
}

// near: each entry adds more than a product
void product_and_more(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]] + 1.0;
        y[i] = s;
    }
}

// near: where a factor lies is not seen
void index_of_index(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                    const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                    double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[row[p]]];
        y[i] = s;
    }
}

// near: bounds are not neighbouring elements
void ends_elsewhere(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                    const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                    double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start1[i + 1] - 1; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: bounds are not neighbouring elements
void without_the_first(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                       const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                       double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i] + 1; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: rows are not all those that follow each other
void every_second_row(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 0; 2 * i < n - 1; i++) {
        double s = 0;
        for (int p = start[2 * i]; p < start[2 * i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: goes by 2
void by_twos(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
             const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
             double y[n]) {
    for (int i = 0; i < n; i += 2) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: a condition is tested for each entry
void without_diagonal(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            if (index[p] != i)
                s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: no sum of products
void stops_early(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                 const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                 double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++) {
            if (index[p] > i)
                break;
            s += value[p] * x[index[p]];
        }
        y[i] = s;
    }
}

// near: no sum of products
void greatest_product(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                      const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                      double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s = s > value[p] * x[index[p]] ? s : value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: does not begin at zero
void begins_at_one(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                   const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                   double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: what is stored is no sum of the result
void residual(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
              const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
              double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = value[i] - s;
    }
}

// near: what is stored is no sum of the result
void divided(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
             const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
             double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s / value[start[i]];
    }
}

// near: `s` is of another type
void float_sum(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
               const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
               double y[n]) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        y[i] = s;
    }
}

// near: `y` is not picked by an index of each entry
void onto_the_entry(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                    const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                    double y[n + nnz]) {
    for (int p = 0; p < nnz; p++)
        y[row[p] + p] += value[p] * x[index[p]];
}

// near: each entry has not one factor of the matrix and one of a vector
void triplets_of_diagonal(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                          const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[nnz],
                          double y[n]) {
    for (int p = 0; p < nnz; p++)
        y[row[p]] += value[p] * x[p];
}

// nothing
void sum_of_rows(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
                 const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
                 double y[n]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p];
        y[i] = s;
    }
}

// nothing
void histogram(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
               const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
               double y[n]) {
    for (int p = 0; p < nnz; p++)
        y[row[p]] += 1.0;
}

// nothing
void in_place(int n, int m, int nnz, double alpha, double beta, const int start[n + 1], const int index[nnz], const int row[nnz],
              const long wide[n + 1], const int start1[n + 1], const int index1[nnz], double value[nnz], double x[m],
              double y[n]) {
    for (int i = 0; i < m; i++) {
        double s = 0;
        for (int p = start[i]; p < start[i + 1]; p++)
            s += value[p] * x[index[p]];
        x[i] = s;
    }
}

/* A BLAS that a test names: the four functions that are called, as Fortran has them, by naive loops. */

#define GEMM(T, name)                                                                                                       \
    void name(const char *, const char *, const int *, const int *, const int *, const T *, const T *, const int *,         \
              const T *, const int *, const T *, T *, const int *);                                                         \
    void name(const char *ta, const char *tb, const int *m, const int *n, const int *k, const T *alpha, const T *a,         \
              const int *lda, const T *b, const int *ldb, const T *beta, T *c, const int *ldc)                              \
    {                                                                                                                       \
        for (long i = 0; i < *m; i++)                                                                                       \
            for (long j = 0; j < *n; j++) {                                                                                 \
                double sum = 0;                                                                                             \
                for (long p = 0; p < *k; p++)                                                                               \
                    sum += (double)(*ta == 'N' ? a[i + p * *lda] : a[p + i * *lda]) *                                       \
                           (double)(*tb == 'N' ? b[p + j * *ldb] : b[j + p * *ldb]);                                        \
                c[i + j * *ldc] = (T)((double)*alpha * sum) + (*beta == 0 ? 0 : *beta * c[i + j * *ldc]);                   \
            }                                                                                                               \
    }
GEMM(float, sgemm_)
GEMM(double, dgemm_)

#define GEMV(T, name, gemm)                                                                                                 \
    void name(const char *, const int *, const int *, const T *, const T *, const int *, const T *, const int *, const T *, \
              T *, const int *);                                                                                            \
    void name(const char *t, const int *m, const int *n, const T *alpha, const T *a, const int *lda, const T *x,            \
              const int *x_step, const T *beta, T *y, const int *y_step)                                                    \
    {                                                                                                                       \
        const int is_plain = *t == 'N', one = *x_step * *y_step;                                                            \
        gemm(t, "N", is_plain ? m : n, &one, is_plain ? n : m, alpha, a, lda, x, is_plain ? n : m, beta, y,                 \
             is_plain ? m : n);                                                                                             \
    }
GEMV(float, sgemv_, sgemm_)
GEMV(double, dgemv_, dgemm_)

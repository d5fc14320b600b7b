// Operators with a triangle: a triangle of a product (syrk, syr2k), products with a symmetric (symm) or a triangular
// matrix (trmm), and the solution of triangular systems (trsm, trsv). On a GPU by cuBLAS; where it is missing, in a
// simulation, and for what it does not compute as the C does, by plain kernels.
//
// In all of them the index that a triangle pairs with the sum is the row of the result, whichever way that lies.
#pragma once

#include "rt_library.h"

namespace rt {

// A square of `n`, and what the other side or the sum has.
struct triangle_size {
    long n, m = 1;
};

// What is kept of the result: nothing, or what is there times `beta`.
struct kept {
    explicit kept(const double beta) : overwritten(false), beta(beta) {}
    bool overwritten;
    double beta;

protected:
    kept() : overwritten(true), beta(0) {}
};
struct nothing_kept : kept {
};

// As for products: `passes` additions and multiplications for each pair of the square and each of the others. Generated kernels
// lose more by them. (An H200, double: syr2k of PolyBench's 1000 x 1200 takes 325 us for 115, symm 196 for 132.)
inline bool triangle_pays(const triangle_size n, const double passes)
{
    constexpr double saved_on_triangle = 3.8e-14;
    return library_pays({rt_max(n.n, 0), rt_max(n.n, 0), rt_max(n.m, 0)}, passes / 2 * saved_on_triangle);
}

} // namespace rt

#ifndef RT_SIM
#include "rt_cublas_triangle.h"
#endif

// The lower triangle of c = alpha (a b' + b a') + beta c, or of alpha a a' where there is no second product.
template <class T>
RT_KERNEL void rt_rank_update(const long n, const long terms, const bool twice, const T alpha, const rt_in<T> a,
                              const long a_first, const long a_row, const long a_column, const rt_in<T> b,
                              const long b_first, const long b_row, const long b_column, const bool overwritten,
                              const T beta, const rt_inout<T> c, const long c_first, const long c_row,
                              const long c_column)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = at / n, j = at % n;
    if (at >= n * n || j > i) return;
    T sum = 0;
    for (long k = 0; k < terms; k++) {
        sum += a[a_first + i * a_row + k * a_column] * b[b_first + j * b_row + k * b_column];
        if (twice) sum += b[b_first + i * b_row + k * b_column] * a[a_first + j * a_row + k * a_column];
    }
    rt_update(c, c_first + i * c_row + j * c_column, overwritten, beta, alpha * sum);
}

// c = alpha s b + beta c, with the lower triangle of s.
template <class T>
RT_KERNEL void rt_symm(const long n, const long m, const T alpha, const rt_in<T> s, const long s_first, const long s_row,
                       const long s_column, const rt_in<T> b, const long b_first, const long b_row, const long b_column,
                       const bool overwritten, const T beta, const rt_inout<T> c, const long c_first, const long c_row,
                       const long c_column)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = at / m, j = at % m;
    if (at >= n * m) return;
    T sum = 0;
    for (long k = 0; k < n; k++)
        sum += s[s_first + rt_max(i, k) * s_row + rt_min(i, k) * s_column] * b[b_first + k * b_row + j * b_column];
    rt_update(c, c_first + i * c_row + j * c_column, overwritten, beta, alpha * sum);
}

// b = alpha a b, a column a thread: an element is written when it is needed no more.
template <class T>
RT_KERNEL void rt_trmm(const long n, const long m, const bool lower, const bool ones, const T alpha, const rt_in<T> a,
                       const long a_first, const long a_row, const long a_column, const rt_inout<T> b, const long b_first,
                       const long b_row, const long b_column)
{
    const long j = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= m) return;
    for (long step = 0; step < n; step++) {
        const long i = lower ? n - 1 - step : step, position = b_first + i * b_row + j * b_column;
        T sum = b[position];
        if (!ones) sum *= a[a_first + i * (a_row + a_column)];
        for (long k = lower ? 0 : i + 1; k < (lower ? i : n); k++)
            sum += a[a_first + i * a_row + k * a_column] * b[b_first + k * b_row + j * b_column];
        b[position] = alpha * sum;
    }
}

// a b = b, a column a thread.
template <class T>
RT_KERNEL void rt_trsm(const long n, const long m, const bool lower, const bool ones, const rt_in<T> a,
                       const long a_first, const long a_row, const long a_column, const rt_inout<T> b, const long b_first,
                       const long b_row, const long b_column)
{
    const long j = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= m) return;
    for (long step = 0; step < n; step++) {
        const long i = lower ? step : n - 1 - step, position = b_first + i * b_row + j * b_column;
        T sum = b[position];
        for (long k = lower ? 0 : i + 1; k < (lower ? i : n); k++)
            sum -= a[a_first + i * a_row + k * a_column] * b[b_first + k * b_row + j * b_column];
        b[position] = ones ? sum : sum / a[a_first + i * (a_row + a_column)];
    }
}

// b = alpha a; of one array the two are the same elements.
template <class T>
RT_KERNEL void rt_scaled(const long n, const long m, const T alpha, const rt_inout<T> a, const long a_first,
                         const long a_row, const long a_column, const rt_inout<T> b, const long b_first, const long b_row,
                         const long b_column)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = at / m, j = at % m;
    if (at < n * m) b[b_first + i * b_row + j * b_column] = alpha * a[a_first + i * a_row + j * a_column];
}

namespace rt {

inline constexpr long threads_of_operator = 128;

inline rt_size3 blocks_for(const long n)
{
    return rt_dims(rt_ceildiv(n, threads_of_operator));
}

template <class T>
void rank_update(region &owner, const int line, const triangle_size n, const bool twice, const T alpha,
                 const matrix<T> &a, const matrix<T> &b, const kept &what, const matrix<T> &c)
{
    // Without a term, what is only added to is not even read.
    if (n.n <= 0 || (n.m <= 0 && !what.overwritten && what.beta == 1)) return;
#ifndef RT_SIM
    if (rank_update_by_cublas(owner, line, n, twice, alpha, a, b, what.overwritten, (T)what.beta, c)) return;
#endif
    owner.launch("rt_rank_update", line, rt_rank_update<T>, blocks_for(n.n * n.n), rt_dims(threads_of_operator), n.n, n.m,
                 twice, alpha, a.of, a.first, a.row, a.column, b.of, b.first, b.row, b.column, what.overwritten,
                 (T)what.beta, c.of, c.first, c.row, c.column);
}

// The lower triangle of c = alpha a a' + beta c; of a transposed, the upper one.
template <class T>
void syrk(region &owner, const int line, const triangle_size n, const double alpha, const matrix<T> &a, const kept &what,
          const matrix<T> &c)
{
    rank_update(owner, line, n, false, (T)alpha, a, a, what, c);
}

// The lower triangle of c = alpha (a b' + b a') + beta c
template <class T>
void syr2k(region &owner, const int line, const triangle_size n, const double alpha, const matrix<T> &a,
           const matrix<T> &b, const kept &what, const matrix<T> &c)
{
    rank_update(owner, line, n, true, (T)alpha, a, b, what, c);
}

// c = alpha s b + beta c, where s is symmetric and its lower triangle is read
template <class T>
void symm(region &owner, const int line, const triangle_size n, const double alpha, const matrix<T> &s,
          const matrix<T> &b, const kept &what, const matrix<T> &c)
{
    if (n.n <= 0 || n.m <= 0) return;
#ifndef RT_SIM
    if (symm_by_cublas(owner, line, n, (T)alpha, s, b, what.overwritten, (T)what.beta, c)) return;
#endif
    owner.launch("rt_symm", line, rt_symm<T>, blocks_for(n.n * n.m), rt_dims(threads_of_operator), n.n, n.m, (T)alpha, s.of,
                 s.first, s.row, s.column, b.of, b.first, b.row, b.column, what.overwritten, (T)what.beta, c.of, c.first,
                 c.row, c.column);
}

// b = alpha a b, where a is triangular
template <class T>
void trmm(region &owner, const int line, const triangle_size n, const bool lower, const bool ones, const double alpha,
          const matrix<T> &a, const matrix<T> &b)
{
    if (n.n <= 0 || n.m <= 0) return;
#ifndef RT_SIM
    if (trmm_by_cublas(owner, line, n, lower, ones, (T)alpha, a, b)) return;
#endif
    owner.launch("rt_trmm", line, rt_trmm<T>, blocks_for(n.m), rt_dims(threads_of_operator), n.n, n.m, lower, ones,
                 (T)alpha, a.of, a.first, a.row, a.column, b.of, b.first, b.row, b.column);
}

// The solution of a b = alpha from, where a is triangular
template <class T>
void trsm(region &owner, const int line, const triangle_size n, const bool lower, const bool ones, const double alpha,
          const matrix<T> &a, const matrix<T> &from, const matrix<T> &b)
{
    if (n.n <= 0 || n.m <= 0) return;
    const bool in_place = &from.of == &b.of && from.first == b.first && from.row == b.row && from.column == b.column;
    if (!in_place || alpha != 1)
        owner.launch("rt_scaled", line, rt_scaled<T>, blocks_for(n.n * n.m), rt_dims(threads_of_operator), n.n, n.m,
                     (T)alpha, from.of, from.first, from.row, from.column, b.of, b.first, b.row, b.column);
#ifndef RT_SIM
    if (trsm_by_cublas(owner, line, n, lower, ones, a, b)) return;
#endif
    owner.launch("rt_trsm", line, rt_trsm<T>, blocks_for(n.m), rt_dims(threads_of_operator), n.n, n.m, lower, ones, a.of,
                 a.first, a.row, a.column, b.of, b.first, b.row, b.column);
}

} // namespace rt

// Operators that do little with each element: on vectors (axpy, scal, copy, swap, dot, asum), sums and transposes of
// matrices (geam), and a product of vectors that is added to a matrix (ger). By cuBLAS where a program asks for it (a
// generated kernel is as fast); where it is missing, in a simulation, and for what it does not compute as the C does, by
// plain kernels. A vector is a matrix of one column.
#pragma once

#include "rt_library.h"

namespace rt {

struct vector_size {
    long n, m = 1;
};

} // namespace rt

#ifndef RT_SIM
#include "rt_cublas_vectors.h"
#endif

// c = alpha a + beta b; of one array they are the same elements.
template <class T>
RT_KERNEL void rt_geam(const long rows, const long columns, const T alpha, const rt_inout<T> a, const long a_first,
                       const long a_row, const long a_column, const bool alone, const T beta, const rt_inout<T> b,
                       const long b_first, const long b_row, const long b_column, const rt_inout<T> c, const long c_first,
                       const long c_row, const long c_column)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = at / columns, j = at % columns;
    if (at >= rows * columns) return;
    const T first = alpha * a[a_first + i * a_row + j * a_column];
    c[c_first + i * c_row + j * c_column] = alone ? first : first + beta * b[b_first + i * b_row + j * b_column];
}

template <class T>
RT_KERNEL void rt_ger(const long rows, const long columns, const T alpha, const rt_in<T> x, const long x_first,
                      const long x_row, const rt_in<T> y, const long y_first, const long y_row, const rt_inout<T> a,
                      const long a_first, const long a_row, const long a_column)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x, i = at / columns, j = at % columns;
    if (at < rows * columns)
        a[a_first + i * a_row + j * a_column] += alpha * x[x_first + i * x_row] * y[y_first + j * y_row];
}

template <class T>
RT_KERNEL void rt_swapped(const long n, const rt_inout<T> x, const long x_first, const long x_row, const rt_inout<T> y,
                          const long y_first, const long y_row)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T kept = x[x_first + i * x_row];
    x[x_first + i * x_row] = y[y_first + i * y_row];
    y[y_first + i * y_row] = kept;
}

// sum += alpha x y, or of the absolute values of x: by one block.
template <class T>
RT_KERNEL void rt_dot(const long n, const bool absolute, const T alpha, const rt_in<T> x, const long x_first,
                      const long x_row, const rt_in<T> y, const long y_first, const long y_row, const rt_inout<T> sum,
                      const long place)
{
    T own = rt_add::identity<T>();
    for (long i = threadIdx.x; i < n; i += blockDim.x) {
        const T value = x[x_first + i * x_row];
        own += absolute ? (T)fabs(value) : value * y[y_first + i * y_row];
    }
    const T joined = rt_block_reduce<rt_add, T>(own);
    if (threadIdx.x == 0) sum[place] += alpha * joined;
}

namespace rt {

inline rt_size3 blocks_for_vector(const long n)
{
    return rt_dims(rt_ceildiv(n, 128));
}

template <class T>
void add(region &owner, const int line, const vector_size n, const T alpha, const matrix<T> &a, const bool alone,
         const T beta, const matrix<T> &b, const matrix<T> &c)
{
    owner.launch("rt_geam", line, rt_geam<T>, blocks_for_vector(n.n * n.m), rt_dims(128), n.n, n.m, alpha, a.of, a.first,
                 a.row, a.column, alone, beta, b.of, b.first, b.row, b.column, c.of, c.first, c.row, c.column);
}

// c = alpha a
template <class T>
void geam(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &a, const matrix<T> &c)
{
    if (n.n <= 0 || n.m <= 0) return;
#ifndef RT_SIM
    if (geam_by_cublas(owner, line, n, (T)alpha, a, true, (T)0, c, c)) return;
#endif
    add(owner, line, n, (T)alpha, a, true, (T)0, c, c);
}

// c = alpha a + beta b
template <class T>
void geam(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &a, const double beta,
          const matrix<T> &b, const matrix<T> &c)
{
    if (n.n <= 0 || n.m <= 0) return;
#ifndef RT_SIM
    if (geam_by_cublas(owner, line, n, (T)alpha, a, false, (T)beta, b, c)) return;
#endif
    add(owner, line, n, (T)alpha, a, false, (T)beta, b, c);
}

// y += alpha x
template <class T>
void axpy(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &x, const matrix<T> &y)
{
    if (n.n <= 0) return;
#ifndef RT_SIM
    if (axpy_by_cublas(owner, line, n, (T)alpha, x, y)) return;
#endif
    add(owner, line, n, (T)alpha, x, false, (T)1, y, y);
}

// x *= alpha
template <class T> void scal(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &x)
{
    if (n.n <= 0) return;
#ifndef RT_SIM
    if (scal_by_cublas(owner, line, n, (T)alpha, x)) return;
#endif
    add(owner, line, n, (T)alpha, x, true, (T)0, x, x);
}

// y = x
template <class T>
void copied(region &owner, const int line, const vector_size n, const matrix<T> &x, const matrix<T> &y)
{
    if (n.n <= 0) return;
#ifndef RT_SIM
    if (copied_by_cublas(owner, line, n, x, y)) return;
#endif
    add(owner, line, n, (T)1, x, true, (T)0, y, y);
}

// x and y change places
template <class T>
void swapped(region &owner, const int line, const vector_size n, const matrix<T> &x, const matrix<T> &y)
{
    if (n.n <= 0) return;
#ifndef RT_SIM
    if (swapped_by_cublas(owner, line, n, x, y)) return;
#endif
    owner.launch("rt_swapped", line, rt_swapped<T>, blocks_for_vector(n.n), rt_dims(128), n.n, x.of, x.first, x.row, y.of,
                 y.first, y.row);
}

// a += alpha x y'
template <class T>
void ger(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &x, const matrix<T> &y,
         const matrix<T> &a)
{
    if (n.n <= 0 || n.m <= 0) return;
#ifndef RT_SIM
    if (ger_by_cublas(owner, line, n, (T)alpha, x, y, a)) return;
#endif
    owner.launch("rt_ger", line, rt_ger<T>, blocks_for_vector(n.n * n.m), rt_dims(128), n.n, n.m, (T)alpha, x.of, x.first,
                 x.row, y.of, y.first, y.row, a.of, a.first, a.row, a.column);
}

template <class T>
void summed(region &owner, const int line, const vector_size n, const bool absolute, const T alpha, const matrix<T> &x,
            const matrix<T> &y, const matrix<T> &sum)
{
    if (n.n <= 0) return;
#ifndef RT_SIM
    if (summed_by_cublas(owner, line, n, absolute, alpha, x, y, sum)) return;
#endif
    owner.launch("rt_dot", line, rt_dot<T>, rt_dims(1), rt_dims(256), n.n, absolute, alpha, x.of, x.first, x.row, y.of,
                 y.first, y.row, sum.of, sum.first);
}

// sum += alpha x' y
template <class T>
void dot(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &x, const matrix<T> &y,
         const matrix<T> &sum)
{
    summed(owner, line, n, false, (T)alpha, x, y, sum);
}

// sum += alpha (|x0| + |x1| + ...)
template <class T>
void asum(region &owner, const int line, const vector_size n, const double alpha, const matrix<T> &x, const matrix<T> &sum)
{
    summed(owner, line, n, true, (T)alpha, x, x, sum);
}

} // namespace rt

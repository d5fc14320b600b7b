// Operators of a library: products of matrices and vectors. On a GPU by cuBLAS, which is loaded when it is first needed;
// where it is missing, in a simulation, and for what it does not compute as the C does, by a plain kernel.
#pragma once

#include "rt_runtime.h"
#include "rt_update.h"

namespace rt {

// The result has `rows` x `columns` elements, each the sum of so many terms; and so many times.
struct product_size {
    long rows, columns, terms, count = 1;
};

} // namespace rt

#ifndef RT_SIM
#include "rt_cublas.h"
#endif

// c = alpha a b + beta c, an element a thread. Of `c` nothing is kept where it is overwritten.
template <class T>
RT_KERNEL void rt_product(const long rows, const long columns, const long terms, const T alpha, const rt_in<T> a,
                          const long a_first, const long a_row, const long a_column, const long a_batch,
                          const rt_in<T> b, const long b_first, const long b_row, const long b_column,
                          const long b_batch, const bool overwritten, const T beta, const rt_inout<T> c,
                          const long c_first, const long c_row, const long c_column, const long c_batch)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= rows * columns) return;
    const long i = at / columns, j = at % columns, q = blockIdx.y;
    T sum = 0;
    for (long k = 0; k < terms; k++)
        sum += a[a_first + q * a_batch + i * a_row + k * a_column] * b[b_first + q * b_batch + k * b_row + j * b_column];
    rt_update(c, c_first + q * c_batch + i * c_row + j * c_column, overwritten, beta, alpha * sum);
}

namespace rt {

// Seconds that the library saves on an operation of a product, against a generated kernel, and that it takes to load. (Measured
// on an H200, double: 62 against 54 TFLOP/s at 4096 x 4096, 2e-15 s, and 31 against 20 at PolyBench's 1000 x 1100 x 1200, 17e-15;
// 40 ms for the library and 50 for its first kernels.)
inline constexpr double saved_on_product = 5e-15, seconds_to_load = 0.09;

// Whether the operators of the program so far, with this one, would have saved what loading the library takes: so much on each
// operation of the product of that size. In a simulation they always would, unless RT_SIM_LIBRARY is 0.
inline bool library_pays([[maybe_unused]] const product_size n, [[maybe_unused]] const double saved_on_each = saved_on_product)
{
#ifdef RT_SIM
    const char *wish = env("RT_SIM_LIBRARY");
    return !wish || strcmp(wish, "0") != 0;
#else
    static double saved = 0;
    const double operations = 2.0 * rt_max(n.rows, 0) * rt_max(n.columns, 0) * rt_max(n.terms, 0) * rt_max(n.count, 0);
    saved += operations * saved_on_each;
    return saved >= seconds_to_load;
#endif
}

// Makes what the library needs once, before calls of it are recorded in a graph.
inline void library_ready([[maybe_unused]] region &owner, [[maybe_unused]] const int line)
{
#ifndef RT_SIM
    cublas_ready({owner.at.region, owner.at.file, line});
#endif
}

template <class T>
void product_by_threads(region &owner, const int line, const product_size n, const T alpha, const matrix<T> &a,
                        const matrix<T> &b, const bool overwritten, const T beta, const matrix<T> &c)
{
    constexpr long threads = 128, most_at_once = 65535;
    for (long q = 0; q < n.count; q += most_at_once) {
        const rt_size3 grid = rt_dims(rt_min(n.count - q, most_at_once), rt_ceildiv(n.rows * n.columns, threads));
        owner.launch("rt_product", line, rt_product<T>, grid, rt_dims(threads), n.rows, n.columns, n.terms, alpha, a.of,
                     a.first + q * a.batch, a.row, a.column, a.batch, b.of, b.first + q * b.batch, b.row, b.column,
                     b.batch, overwritten, beta, c.of, c.first + q * c.batch, c.row, c.column, c.batch);
    }
}

template <class T>
void product(region &owner, const int line, const product_size n, const T alpha, const matrix<T> &a,
             const matrix<T> &b, const bool overwritten, const T beta, const matrix<T> &c)
{
    // Without a term, what is only added to is not even read.
    const bool is_kept = n.terms <= 0 && !overwritten && beta == 1;
    if (n.rows <= 0 || n.columns <= 0 || n.count <= 0 || is_kept) return;
#ifndef RT_SIM
    if (product_by_cublas(owner, line, n, alpha, a, b, overwritten, beta, c)) return;
#endif
    product_by_threads(owner, line, n, alpha, a, b, overwritten, beta, c);
}

// c = alpha a b
template <class T>
void product(region &owner, const int line, const product_size n, const double alpha, const matrix<T> &a,
             const matrix<T> &b, const matrix<T> &c)
{
    product(owner, line, n, (T)alpha, a, b, true, (T)0, c);
}

// c = beta c + alpha a b
template <class T>
void product(region &owner, const int line, const product_size n, const double alpha, const matrix<T> &a,
             const matrix<T> &b, const double beta, const matrix<T> &c)
{
    product(owner, line, n, (T)alpha, a, b, false, (T)beta, c);
}

} // namespace rt

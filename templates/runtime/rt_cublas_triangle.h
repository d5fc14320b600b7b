// cuBLAS's operators with a triangle. It knows matrices by columns: one whose rows are contiguous is its transpose, whose
// lower triangle is the upper one; a result by rows is computed with the sides exchanged.
#pragma once

#include "rt_cublas.h"

namespace rt {

inline constexpr int cublas_lower = 0, cublas_upper = 1, cublas_left = 0, cublas_right = 1;

template <class T>
using cublas_syrk = int(cublas_handle, int, int, long, long, const T *, const T *, long, const T *, T *, long);
template <class T>
using cublas_syr2k = int(cublas_handle, int, int, long, long, const T *, const T *, long, const T *, long, const T *, T *,
                         long);
template <class T>
using cublas_symm = int(cublas_handle, int, int, long, long, const T *, const T *, long, const T *, long, const T *, T *,
                        long);
template <class T>
using cublas_trmm = int(cublas_handle, int, int, int, int, long, long, const T *, const T *, long, const T *, long, T *,
                        long);
template <class T>
using cublas_trsm = int(cublas_handle, int, int, int, int, long, long, const T *, const T *, long, T *, long);
template <class T> using cublas_trsv = int(cublas_handle, int, int, int, long, const T *, long, T *, long);

template <class T> struct cublas_triangle_names;
template <> struct cublas_triangle_names<float> {
    static constexpr const char *syrk = "cublasSsyrk_v2_64", *syr2k = "cublasSsyr2k_v2_64", *symm = "cublasSsymm_v2_64",
                                *trmm = "cublasStrmm_v2_64", *trsm = "cublasStrsm_v2_64", *trsv = "cublasStrsv_v2_64";
};
template <> struct cublas_triangle_names<double> {
    static constexpr const char *syrk = "cublasDsyrk_v2_64", *syr2k = "cublasDsyr2k_v2_64", *symm = "cublasDsymm_v2_64",
                                *trmm = "cublasDtrmm_v2_64", *trsm = "cublasDtrsm_v2_64", *trsv = "cublasDtrsv_v2_64";
};

// The triangle that is the lower one of a matrix as it lies.
template <class T> int cublas_triangle(const cublas_matrix<T> &m, const bool lower)
{
    return lower == m.is_by_rows ? cublas_upper : cublas_lower;
}

// What cuBLAS leaves unread, C reads: what is not a number stays one. The same for the operators below.
template <class T> bool cublas_differs(const T alpha, const bool overwritten, const T beta)
{
    return alpha == 0 || (beta == 0 && !overwritten) || !cublas_symbol("cublasDgemm_v2_64");
}

// Whether cuBLAS has computed it; so below.
template <class T>
bool rank_update_by_cublas(region &owner, const int line, const triangle_size n, const bool twice, const T alpha,
                           const matrix<T> &a, const matrix<T> &b, const bool overwritten, const T beta,
                           const matrix<T> &c)
{
    if (n.m <= 0 || cublas_differs(alpha, overwritten, beta)) return false;
    const cublas_matrix<T> x(a, n.n, n.m), y(b, n.n, n.m), z(c, n.n, n.n);
    if (!x.fits || !y.fits || !z.fits || x.is_by_rows != y.is_by_rows) return false;
    using names = cublas_triangle_names<T>;
    const int triangle = cublas_triangle(z, true), form = x.is_by_rows ? cublas_transposed : cublas_plain;
    if (twice)
        call_cublas<cublas_syr2k<T>>(owner, line, names::syr2k, triangle, form, n.n, n.m, &alpha, x.at, x.distance, y.at,
                                     y.distance, &beta, z.at, z.distance);
    else
        call_cublas<cublas_syrk<T>>(owner, line, names::syrk, triangle, form, n.n, n.m, &alpha, x.at, x.distance, &beta,
                                    z.at, z.distance);
    return true;
}

template <class T>
bool symm_by_cublas(region &owner, const int line, const triangle_size n, const T alpha, const matrix<T> &s,
                    const matrix<T> &b, const bool overwritten, const T beta, const matrix<T> &c)
{
    if (cublas_differs(alpha, overwritten, beta)) return false;
    const cublas_matrix<T> x(s, n.n, n.n), y(b, n.n, n.m), z(c, n.n, n.m);
    if (!x.fits || !y.fits || !z.fits || y.is_by_rows != z.is_by_rows) return false;
    call_cublas<cublas_symm<T>>(owner, line, cublas_triangle_names<T>::symm, z.is_by_rows ? cublas_right : cublas_left,
                                cublas_triangle(x, true), z.is_by_rows ? n.m : n.n, z.is_by_rows ? n.n : n.m, &alpha,
                                x.at, x.distance, y.at, y.distance, &beta, z.at, z.distance);
    return true;
}

template <class T>
bool trmm_by_cublas(region &owner, const int line, const triangle_size n, const bool lower, const bool ones,
                    const T alpha, const matrix<T> &a, const matrix<T> &b)
{
    if (cublas_differs(alpha, true, (T)0)) return false;
    const cublas_matrix<T> x(a, n.n, n.n), z(b, n.n, n.m);
    if (!x.fits || !z.fits) return false;
    const int form = x.is_by_rows == z.is_by_rows ? cublas_plain : cublas_transposed;
    call_cublas<cublas_trmm<T>>(owner, line, cublas_triangle_names<T>::trmm, z.is_by_rows ? cublas_right : cublas_left,
                                cublas_triangle(x, lower), form, (int)ones, z.is_by_rows ? n.m : n.n,
                                z.is_by_rows ? n.n : n.m, &alpha, x.at, x.distance, z.at, z.distance, z.at, z.distance);
    return true;
}

template <class T>
bool trsm_by_cublas(region &owner, const int line, const triangle_size n, const bool lower, const bool ones,
                    const matrix<T> &a, const matrix<T> &b)
{
    const T alpha = 1;
    if (cublas_differs(alpha, true, (T)0)) return false;
    using names = cublas_triangle_names<T>;
    const cublas_matrix<T> x(a, n.n, n.n), z(b, n.n, n.m);
    if (!x.fits) return false;
    if (n.m == 1 && b.row > 0) {
        call_cublas<cublas_trsv<T>>(owner, line, names::trsv, cublas_triangle(x, lower),
                                    x.is_by_rows ? cublas_transposed : cublas_plain, (int)ones, n.n, x.at, x.distance, z.at,
                                    b.row);
        return true;
    }
    if (!z.fits) return false;
    const int form = x.is_by_rows == z.is_by_rows ? cublas_plain : cublas_transposed;
    call_cublas<cublas_trsm<T>>(owner, line, names::trsm, z.is_by_rows ? cublas_right : cublas_left,
                                cublas_triangle(x, lower), form, (int)ones, z.is_by_rows ? n.m : n.n,
                                z.is_by_rows ? n.n : n.m, &alpha, x.at, x.distance, z.at, z.distance);
    return true;
}

} // namespace rt

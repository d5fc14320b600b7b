// cuBLAS's operators that do little with each element. Each function says whether cuBLAS has computed it: not where a
// vector is passed backwards, nor where a factor is zero, with which it leaves elements unread.
#pragma once

#include "rt_cublas.h"

namespace rt {

template <class T> using cublas_geam = int(cublas_handle, int, int, long, long, const T *, const T *, long, const T *,
                                           const T *, long, T *, long);
template <class T>
using cublas_ger = int(cublas_handle, long, long, const T *, const T *, long, const T *, long, T *, long);
template <class T> using cublas_axpy = int(cublas_handle, long, const T *, const T *, long, T *, long);
template <class T> using cublas_scal = int(cublas_handle, long, const T *, T *, long);
template <class T> using cublas_copy = int(cublas_handle, long, const T *, long, T *, long);
template <class T> using cublas_swap = int(cublas_handle, long, T *, long, T *, long);
template <class T> using cublas_dot = int(cublas_handle, long, const T *, long, const T *, long, T *);
template <class T> using cublas_asum = int(cublas_handle, long, const T *, long, T *);

template <class T> struct cublas_vector_names;
template <> struct cublas_vector_names<float> {
    static constexpr const char *geam = "cublasSgeam_64", *ger = "cublasSger_v2_64", *axpy = "cublasSaxpy_v2_64",
                                *scal = "cublasSscal_v2_64", *copy = "cublasScopy_v2_64", *swap = "cublasSswap_v2_64",
                                *dot = "cublasSdot_v2_64", *asum = "cublasSasum_v2_64";
};
template <> struct cublas_vector_names<double> {
    static constexpr const char *geam = "cublasDgeam_64", *ger = "cublasDger_v2_64", *axpy = "cublasDaxpy_v2_64",
                                *scal = "cublasDscal_v2_64", *copy = "cublasDcopy_v2_64", *swap = "cublasDswap_v2_64",
                                *dot = "cublasDdot_v2_64", *asum = "cublasDasum_v2_64";
};

template <class T> T *cublas_place(const matrix<T> &x)
{
    return x.of.device.template as_parameter<T *>() + x.first;
}

inline bool cublas_is_there()
{
    return cublas_symbol("cublasDgemm_v2_64") != nullptr;
}

template <class T>
bool geam_by_cublas(region &owner, const int line, const vector_size n, const T alpha, const matrix<T> &a,
                    const bool alone, const T beta, const matrix<T> &b, const matrix<T> &c)
{
    const cublas_matrix<T> x(a, n.n, n.m), y(b, n.n, n.m), z(c, n.n, n.m);
    if (alpha == 0 || (beta == 0 && !alone) || !x.fits || !y.fits || !z.fits || !cublas_is_there()) return false;
    const int of_x = x.is_by_rows == z.is_by_rows ? cublas_plain : cublas_transposed;
    const int of_y = y.is_by_rows == z.is_by_rows ? cublas_plain : cublas_transposed;
    call_cublas<cublas_geam<T>>(owner, line, cublas_vector_names<T>::geam, of_x, of_y, z.is_by_rows ? n.m : n.n,
                                z.is_by_rows ? n.n : n.m, &alpha, x.at, x.distance, &beta, y.at, y.distance, z.at,
                                z.distance);
    return true;
}

template <class T>
bool ger_by_cublas(region &owner, const int line, const vector_size n, const T alpha, const matrix<T> &x,
                   const matrix<T> &y, const matrix<T> &a)
{
    const cublas_matrix<T> z(a, n.n, n.m);
    if (alpha == 0 || !z.fits || x.row <= 0 || y.row <= 0 || !cublas_is_there()) return false;
    // By rows, a is by columns the transpose: y x' is added to it.
    const matrix<T> &first = z.is_by_rows ? y : x, &second = z.is_by_rows ? x : y;
    call_cublas<cublas_ger<T>>(owner, line, cublas_vector_names<T>::ger, z.is_by_rows ? n.m : n.n,
                               z.is_by_rows ? n.n : n.m, &alpha, cublas_place(first), first.row, cublas_place(second),
                               second.row, z.at, z.distance);
    return true;
}

template <class T>
bool axpy_by_cublas(region &owner, const int line, const vector_size n, const T alpha, const matrix<T> &x,
                    const matrix<T> &y)
{
    if (alpha == 0 || x.row <= 0 || y.row <= 0 || !cublas_is_there()) return false;
    call_cublas<cublas_axpy<T>>(owner, line, cublas_vector_names<T>::axpy, n.n, &alpha, cublas_place(x), x.row,
                                cublas_place(y), y.row);
    return true;
}

template <class T>
bool scal_by_cublas(region &owner, const int line, const vector_size n, const T alpha, const matrix<T> &x)
{
    if (alpha == 0 || x.row <= 0 || !cublas_is_there()) return false;
    call_cublas<cublas_scal<T>>(owner, line, cublas_vector_names<T>::scal, n.n, &alpha, cublas_place(x), x.row);
    return true;
}

template <class T>
bool copied_by_cublas(region &owner, const int line, const vector_size n, const matrix<T> &x, const matrix<T> &y)
{
    if (x.row <= 0 || y.row <= 0 || !cublas_is_there()) return false;
    call_cublas<cublas_copy<T>>(owner, line, cublas_vector_names<T>::copy, n.n, cublas_place(x), x.row, cublas_place(y),
                                y.row);
    return true;
}

template <class T>
bool swapped_by_cublas(region &owner, const int line, const vector_size n, const matrix<T> &x, const matrix<T> &y)
{
    if (x.row <= 0 || y.row <= 0 || !cublas_is_there()) return false;
    call_cublas<cublas_swap<T>>(owner, line, cublas_vector_names<T>::swap, n.n, cublas_place(x), x.row, cublas_place(y),
                                y.row);
    return true;
}

} // namespace rt

// sum += alpha what
template <class T> RT_KERNEL void rt_join_sum(const T alpha, const T *const what, const rt_inout<T> sum, const long place)
{
    sum[place] += alpha * *what;
}

namespace rt {

// The result goes to memory of the device, so that nobody waits for it, and is added there.
template <class T>
bool summed_by_cublas(region &owner, const int line, const vector_size n, const bool absolute, const T alpha,
                      const matrix<T> &x, const matrix<T> &y, const matrix<T> &sum)
{
    if (x.row <= 0 || y.row <= 0 || !cublas_is_there()) return false;
    using names = cublas_vector_names<T>;
    static T *const result = [&] {
        void *place = nullptr;
        check_cuda(owner.at, cudaMalloc(&place, sizeof(T)), "cudaMalloc", "the result of a sum");
        return (T *)place;
    }();
    const place here{owner.at.region, owner.at.file, line};
    static auto *const set_mode = cublas_function<int(cublas_handle, int)>("cublasSetPointerMode_v2");
    constexpr int on_host = 0, on_device = 1;
    check_cublas(here, set_mode(cublas(here), on_device), "cublasSetPointerMode");
    if (absolute)
        call_cublas<cublas_asum<T>>(owner, line, names::asum, n.n, cublas_place(x), x.row, result);
    else
        call_cublas<cublas_dot<T>>(owner, line, names::dot, n.n, cublas_place(x), x.row, cublas_place(y), y.row, result);
    check_cublas(here, set_mode(cublas(here), on_host), "cublasSetPointerMode");
    owner.launch("rt_join_sum", line, rt_join_sum<T>, rt_dims(1), rt_dims(1), alpha, result, sum.of, sum.first);
    return true;
}

} // namespace rt

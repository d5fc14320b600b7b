// cuBLAS, loaded by name: a program needs it neither to be linked nor to run. Declared here is what is called, as
// cuBLAS's own header has it (the interface with 64-bit sizes, since CUDA 12).
#pragma once

#include <dlfcn.h>

#include "rt_runtime.h"

namespace rt {

// A function of the library, or null where the library is missing.
inline void *cublas_symbol(const char *name)
{
    static void *const library = [] {
        void *found = nullptr;
        for (const char *file : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
            if (!found) found = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!found) fputs("rtcuda: cuBLAS is not found (LD_LIBRARY_PATH): products run by a plain kernel\n", stderr);
        return found;
    }();
    return library ? dlsym(library, name) : nullptr;
}
template <class F> F *cublas_function(const char *name)
{
    return reinterpret_cast<F *>(cublas_symbol(name));
}

using cublas_handle = void *;
inline constexpr int cublas_plain = 0, cublas_transposed = 1;

inline void check_cublas(const place &at, const int status, const char *call)
{
    if (status == 0) return;
    fail(at, format("%s: cuBLAS status %d", call, status),
         "its meaning is in cublas_api.h; out of memory is 3: make the problem smaller");
}

// Memory that calls work in where they are recorded: in a graph they may not allocate their own. (As much as NVIDIA
// advises for this generation.)
inline void *cublas_workspace = nullptr;
inline constexpr size_t cublas_workspace_bytes = 32 << 20;

// Made once a program, for the stream that launches go to.
inline cublas_handle cublas(const place &at)
{
    static cublas_handle handle = nullptr;
    static auto *const set_stream = cublas_function<int(cublas_handle, cudaStream_t)>("cublasSetStream_v2");
    if (!handle) check_cublas(at, cublas_function<int(cublas_handle *)>("cublasCreate_v2")(&handle), "cublasCreate");
    check_cublas(at, set_stream(handle, launch_stream), "cublasSetStream");
    if (!cublas_workspace) return handle;
    // Another stream takes it away again.
    static auto *const set_workspace = cublas_function<int(cublas_handle, void *, size_t)>("cublasSetWorkspace_v2");
    check_cublas(at, set_workspace(handle, cublas_workspace, cublas_workspace_bytes), "cublasSetWorkspace");
    return handle;
}

// What is made once, before calls are recorded.
inline void cublas_ready(const place &at)
{
    if (!cublas_symbol("cublasDgemm_v2_64")) return;
    if (!cublas_workspace)
        check_cuda(at, cudaMalloc(&cublas_workspace, cublas_workspace_bytes), "cudaMalloc", "the workspace of cuBLAS");
    cublas(at);
}

// A call of a function of cuBLAS by its name, on the stream that launches go to.
template <class F, class... A> void call_cublas(region &owner, const int line, const char *name, const A... arguments)
{
    const place here{owner.at.region, owner.at.file, line};
    F *const function = cublas_function<F>(name);
    const cublas_handle handle = cublas(here);
    n_launched++;
    owner.call(name, [&] { check_cublas(here, function(handle, arguments...), name); });
}

template <class T>
using cublas_gemm = int(cublas_handle, int, int, long, long, long, const T *, const T *, long, const T *, long, const T *,
                        T *, long);
template <class T>
using cublas_gemm_batched = int(cublas_handle, int, int, long, long, long, const T *, const T *, long, long, const T *,
                                long, long, const T *, T *, long, long, long);
template <class T>
using cublas_gemv = int(cublas_handle, int, long, long, const T *, const T *, long, const T *, long, const T *, T *, long);

template <class T> struct cublas_functions;
template <> struct cublas_functions<float> {
    static constexpr const char *gemm = "cublasSgemm_v2_64", *gemv = "cublasSgemv_v2_64",
                                *batched = "cublasSgemmStridedBatched_64";
};
template <> struct cublas_functions<double> {
    static constexpr const char *gemm = "cublasDgemm_v2_64", *gemv = "cublasDgemv_v2_64",
                                *batched = "cublasDgemmStridedBatched_64";
};

// A matrix as cuBLAS takes it, by columns: one whose rows are contiguous is its transpose.
template <class T> struct cublas_matrix {
    T *at;
    long distance;
    bool is_by_rows;
    bool fits; // its rows, or columns, do not overlap

    cublas_matrix(const matrix<T> &m, const long rows, const long columns)
        : at(m.of.device.template as_parameter<T *>() + m.first), distance(m.column == 1 ? m.row : m.column),
          is_by_rows(m.column == 1), fits((m.column == 1 || m.row == 1) && distance >= rt_max(1, m.column == 1 ? columns : rows))
    {
        // One row, or one column, lies as it likes.
        if (!fits && m.row == 1 && columns == 1) distance = rows, fits = true;
        if (!fits && m.column == 1 && rows == 1) distance = columns, fits = true;
    }
};

template <class T>
int cublas_product(const cublas_handle handle, const product_size n, const T alpha, const cublas_matrix<T> &a,
                   const cublas_matrix<T> &b, const T beta, const cublas_matrix<T> &c, const long a_batch,
                   const long b_batch, const long c_batch)
{
    static auto *const gemm = cublas_function<cublas_gemm<T>>(cublas_functions<T>::gemm);
    static auto *const batched = cublas_function<cublas_gemm_batched<T>>(cublas_functions<T>::batched);
    // By rows, c is by columns the transpose of what is asked: b' a' = c'.
    const auto &x = c.is_by_rows ? b : a, &y = c.is_by_rows ? a : b;
    const int of_x = x.is_by_rows == c.is_by_rows ? cublas_plain : cublas_transposed;
    const int of_y = y.is_by_rows == c.is_by_rows ? cublas_plain : cublas_transposed;
    const long m = c.is_by_rows ? n.columns : n.rows, k = c.is_by_rows ? n.rows : n.columns;
    if (n.count == 1)
        return gemm(handle, of_x, of_y, m, k, n.terms, &alpha, x.at, x.distance, y.at, y.distance, &beta, c.at, c.distance);
    return batched(handle, of_x, of_y, m, k, n.terms, &alpha, x.at, x.distance, c.is_by_rows ? b_batch : a_batch, y.at,
                   y.distance, c.is_by_rows ? a_batch : b_batch, &beta, c.at, c.distance, c_batch, n.count);
}

// A matrix of rows x terms by a vector.
template <class T>
int cublas_product_with_vector(const cublas_handle handle, const product_size n, const T alpha,
                               const cublas_matrix<T> &a, const matrix<T> &b, const T beta, const matrix<T> &c)
{
    static auto *const gemv = cublas_function<cublas_gemv<T>>(cublas_functions<T>::gemv);
    T *const from = b.of.device.template as_parameter<T *>() + b.first, *const to = c.of.device.template as_parameter<T *>() + c.first;
    return gemv(handle, a.is_by_rows ? cublas_transposed : cublas_plain, a.is_by_rows ? n.terms : n.rows,
                a.is_by_rows ? n.rows : n.terms, &alpha, a.at, a.distance, from, b.row, &beta, to, c.row);
}

// Whether cuBLAS has computed it. It reads nothing of `c` where beta is 0, and nothing at all where alpha is: C does, and
// what is not a number stays one.
template <class T>
bool product_by_cublas(region &owner, const int line, const product_size n, const T alpha, const matrix<T> &a,
                       const matrix<T> &b, const bool overwritten, const T beta, const matrix<T> &c)
{
    if (alpha == 0 || (beta == 0 && !overwritten) || n.terms <= 0) return false;
    if (!cublas_symbol("cublasDgemm_v2_64")) return false;
    const cublas_matrix<T> x(a, n.rows, n.terms), y(b, n.terms, n.columns), z(c, n.rows, n.columns);
    const bool by_vector = n.columns == 1 && n.count == 1 && x.fits && b.row > 0 && c.row > 0;
    if (!by_vector && !(x.fits && y.fits && z.fits)) return false;
    const place here{owner.at.region, owner.at.file, line};
    const cublas_handle handle = cublas(here);
    const char *const name = by_vector ? cublas_functions<T>::gemv : n.count == 1 ? cublas_functions<T>::gemm : cublas_functions<T>::batched;
    n_launched++;
    owner.call(name, [&] {
        const int status = by_vector ? cublas_product_with_vector(handle, n, alpha, x, b, beta, c)
                                     : cublas_product(handle, n, alpha, x, y, beta, z, a.batch, b.batch, c.batch);
        check_cublas(here, status, name);
    });
    return true;
}

} // namespace rt

// cuSPARSE, loaded by name: a program needs it neither to be linked nor to run. Declared here is what is called, as
// cuSPARSE's own header has it (the generic interface, since CUDA 12.4). What it needs for a matrix is made once a region,
// before the first product; what follows in a loop finds it there.
#pragma once

#include <dlfcn.h>

namespace rt {

// A function of the library, or null where the library is missing.
inline void *cusparse_symbol(const char *name)
{
    static void *const library = [] {
        void *found = nullptr;
        for (const char *file : {"libcusparse.so.12", "libcusparse.so"})
            if (!found) found = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!found)
            fputs("rtcuda: cuSPARSE is not found (LD_LIBRARY_PATH): sparse products run by a plain kernel\n", stderr);
        return found;
    }();
    return library ? dlsym(library, name) : nullptr;
}

using cusparse_handle = void *;
using cusparse_object = void *; // a matrix or a vector
inline constexpr int cusparse_plain = 0;

inline void check_cusparse(const place &at, const int status, const char *call)
{
    if (status == 0) return;
    static auto *const meaning = reinterpret_cast<const char *(*)(int)>(cusparse_symbol("cusparseGetErrorString"));
    fail(at, format("%s: %s", call, meaning ? meaning(status) : "it failed"),
         "library(never) before the loop leaves it to a kernel; where memory is short, make the problem smaller");
}

// A name as a parameter of a template: its function is looked up once.
template <size_t N> struct cusparse_name {
    char text[N];
    constexpr cusparse_name(const char (&from)[N])
    {
        for (size_t i = 0; i < N; i++) text[i] = from[i];
    }
};

// Calls a function of the library, and sees that it succeeded.
template <cusparse_name NAME, class... A> void cusparse(const place &at, const A... arguments)
{
    static auto *const function = reinterpret_cast<int (*)(A...)>(cusparse_symbol(NAME.text));
    if (!function) fail(at, format("cuSPARSE has no %s", NAME.text), "use cuSPARSE of CUDA 12.4 or later");
    check_cusparse(at, function(arguments...), NAME.text);
}
template <cusparse_name NAME> void cusparse_destroy(const cusparse_object object)
{
    static auto *const function = reinterpret_cast<int (*)(cusparse_object)>(cusparse_symbol(NAME.text));
    if (object && function) function(object);
}

// Made once a program, for the stream that launches go to.
inline cusparse_handle cusparse_of_program(const place &at)
{
    static cusparse_handle handle = nullptr;
    if (!handle) cusparse<"cusparseCreate">(at, &handle);
    cusparse<"cusparseSetStream">(at, handle, launch_stream);
    return handle;
}

template <class T> inline constexpr int cusparse_number = sizeof(T) == 4 ? 0 : 1; // CUDA_R_32F, CUDA_R_64F
template <class I> inline constexpr int cusparse_index = sizeof(I) == 4 ? 2 : 3;  // CUSPARSE_INDEX_32I, _64I
template <class I> inline constexpr bool is_cusparse_index = std::is_same_v<I, int> || std::is_same_v<I, long> || std::is_same_v<I, long long>;

// A matrix, as the library has it, and its workspace for products with so many vectors.
struct cusparse_matrix : lasting {
    const pattern &of;
    const void *const values;
    const long first_value, vectors;
    cusparse_object matrix = nullptr;
    void *workspace = nullptr;

    cusparse_matrix(const pattern &of, const void *values, const long first_value, const long vectors)
        : of(of), values(values), first_value(first_value), vectors(vectors)
    {
    }
    ~cusparse_matrix() override
    {
        cusparse_destroy<"cusparseDestroySpMat">(matrix);
        cudaFree(workspace);
    }
};

// A vector, or several side by side by rows or by columns.
template <class T> class cusparse_vectors {
public:
    cusparse_object object = nullptr;
    // By how many elements indices are moved: the library counts from 0 or 1.
    cusparse_vectors(const place &at, const matrix<T> &m, const long rows, const long vectors, const long base)
        : is_one(vectors == 1)
    {
        T *const from = m.of.device.template as_parameter<T *>() + m.first + base * m.row;
        if (is_one)
            cusparse<"cusparseCreateDnVec">(at, &object, (int64_t)rows, (void *)from, cusparse_number<T>);
        else
            cusparse<"cusparseCreateDnMat">(at, &object, (int64_t)rows, (int64_t)vectors,
                     (int64_t)(m.column == 1 ? m.row : m.column), (void *)from, cusparse_number<T>, m.column == 1 ? 2 : 1);
    }
    cusparse_vectors(const cusparse_vectors &) = delete;
    ~cusparse_vectors()
    {
        if (is_one)
            cusparse_destroy<"cusparseDestroyDnVec">(object);
        else
            cusparse_destroy<"cusparseDestroyDnMat">(object);
    }

private:
    const bool is_one;
};

// How many rows a vector has for the library, counted from `base`; none where it does not lie as the library has vectors.
template <class T> long cusparse_rows(const matrix<T> &m, const long vectors, const long base)
{
    const long last = m.of.size() - m.first - base * m.row;
    if (vectors == 1) return m.row == 1 ? last : 0;
    if (m.column == 1 && m.row >= vectors) return (last - vectors) / m.row + 1;
    return m.row == 1 && m.column > 0 ? rt_min(m.column, last - (vectors - 1) * m.column) : 0;
}

template <class T, class P, class I>
bool make_cusparse(const place &at, const compressed_rows<T, P, I> &a, const pattern &p, const long columns, long,
                   const int base, cusparse_object &made)
{
    if constexpr (is_cusparse_index<P> && is_cusparse_index<I>)
        cusparse<"cusparseCreateCsr">(at, &made, (int64_t)a.majors, (int64_t)columns, (int64_t)p.entries(),
                 (void *)(a.start.of.device.template as_parameter<P *>() + a.start.first),
                 (void *)(a.index.of.device.template as_parameter<I *>() + a.index.first + base),
                 (void *)(a.value.of.device.template as_parameter<T *>() + a.value.first + base), cusparse_index<P>,
                 cusparse_index<I>, base, cusparse_number<T>);
    return made;
}
template <class T, class P, class I>
bool make_cusparse(const place &at, const compressed_columns<T, P, I> &a, const pattern &p, long, const long rows,
                   const int base, cusparse_object &made)
{
    if constexpr (is_cusparse_index<P> && is_cusparse_index<I>)
        cusparse<"cusparseCreateCsc">(at, &made, (int64_t)rows, (int64_t)a.majors, (int64_t)p.entries(),
                 (void *)(a.start.of.device.template as_parameter<P *>() + a.start.first),
                 (void *)(a.index.of.device.template as_parameter<I *>() + a.index.first + base),
                 (void *)(a.value.of.device.template as_parameter<T *>() + a.value.first + base), cusparse_index<P>,
                 cusparse_index<I>, base, cusparse_number<T>);
    return made;
}
template <class T, class C, class R>
bool make_cusparse(const place &at, const triplets<T, C, R> &a, const pattern &p, const long columns, const long rows,
                   const int base, cusparse_object &made)
{
    if constexpr (is_cusparse_index<C> && std::is_same_v<C, R>)
        cusparse<"cusparseCreateCoo">(at, &made, (int64_t)rows, (int64_t)columns, (int64_t)p.entries(),
                 (void *)(a.row.of.device.template as_parameter<R *>() + a.row.first),
                 (void *)(a.column.of.device.template as_parameter<C *>() + a.column.first),
                 (void *)(a.value.of.device.template as_parameter<T *>() + a.value.first), cusparse_index<C>, base,
                 cusparse_number<T>);
    return made;
}

// The algorithms: for uneven rows the one that divides entries.
template <class T, class P, class I> int cusparse_algorithm(const compressed_rows<T, P, I> &a, const pattern &p)
{
    return p.longest > 32 + 8 * (p.entries() / a.majors) ? 3 : 2; // CUSPARSE_SPMV_CSR_ALG2, _ALG1
}
template <class M> int cusparse_algorithm(const M &, const pattern &)
{
    return 0; // CUSPARSE_SPMV_ALG_DEFAULT
}
template <class T, class P, class I> constexpr bool goes_by_index(const compressed_rows<T, P, I> &, const bool is_result)
{
    return !is_result;
}
template <class T, class P, class I> constexpr bool goes_by_index(const compressed_columns<T, P, I> &, const bool is_result)
{
    return is_result;
}
template <class T, class C, class R> constexpr bool goes_by_index(const triplets<T, C, R> &, bool)
{
    return true;
}

// Whether cuSPARSE has computed it. It reads nothing of `y` where beta is 0, and nothing at all where alpha is: C does, and
// what is not a number stays one.
template <class T, class M>
bool product_by_cusparse(region &owner, const int line, const M &a, pattern &p, const long vectors, const T alpha,
                         const matrix<T> &x, const bool overwritten, const T beta, const matrix<T> &y)
{
    const place here{owner.at.region, owner.at.file, line};
    if (!p.by_library || !p.in_order || p.entries() <= 0 || p.first < 0 || p.first > 1) return false;
    if (alpha == 0 || (beta == 0 && !overwritten) || !cusparse_symbol("cusparseSpMV_preprocess")) return false;
    const int base = (int)p.first;
    const long x_base = goes_by_index(a, false) ? base : 0, y_base = goes_by_index(a, true) ? base : 0;
    const long columns = goes_by_index(a, false) ? cusparse_rows(x, vectors, x_base) : a.majors;
    const long rows = goes_by_index(a, true) ? cusparse_rows(y, vectors, y_base) : a.majors;
    if (rows <= 0 || columns <= 0 || cusparse_rows(x, vectors, x_base) < columns || cusparse_rows(y, vectors, y_base) < rows)
        return false;
    const cusparse_handle handle = cusparse_of_program(here);
    cusparse_matrix *made = owner.find<cusparse_matrix>([&](const cusparse_matrix &m) {
        return &m.of == &p && m.values == &a.value.of && m.first_value == a.value.first && m.vectors == vectors;
    });
    if (!made) {
        made = owner.keep(new cusparse_matrix(p, &a.value.of, a.value.first, vectors));
        if (!make_cusparse(here, a, p, columns, rows, base, made->matrix)) return false;
    }
    if (!made->matrix) return false;
    const cusparse_vectors<T> from(here, x, columns, vectors, x_base), to(here, y, rows, vectors, y_base);
    const int plain = cusparse_plain, number = cusparse_number<T>, algorithm = vectors == 1 ? cusparse_algorithm(a, p) : 0;
    const void *const by = &alpha, *const kept = &beta;
    const auto run = [&]<cusparse_name ONE, cusparse_name SEVERAL>(const auto last) {
        if (vectors == 1)
            cusparse<ONE>(here, handle, plain, by, made->matrix, from.object, kept, to.object, number, algorithm, last);
        else
            cusparse<SEVERAL>(here, handle, plain, plain, by, made->matrix, from.object, kept, to.object, number,
                              algorithm, last);
    };
    if (!made->workspace) {
        size_t bytes = 0;
        run.template operator()<"cusparseSpMV_bufferSize", "cusparseSpMM_bufferSize">(&bytes);
        check_cuda(here, cudaMalloc(&made->workspace, rt_max(bytes, (size_t)1)), "cudaMalloc", "the workspace of cuSPARSE");
        if (algorithm != 0)
            run.template operator()<"cusparseSpMV_preprocess", "cusparseSpMM_preprocess">(made->workspace);
    }
    owner.call(vectors == 1 ? "cusparseSpMV" : "cusparseSpMM", [&] {
        run.template operator()<"cusparseSpMV", "cusparseSpMM">(made->workspace);
    });
    return true;
}

} // namespace rt

// Products of a sparse matrix with vectors: y = beta y + alpha A x. The entries of A lie by rows, by columns, or as triplets,
// as the program has them. What is found out of a matrix, and made for it, lasts as long as the region runs.
#pragma once

#include "rt_row_pattern.h"
#include "rt_sparse_tiles.h"

namespace rt {

// Row (or column) i has the entries from start[i] up to start[i + 1]; of triplets there are `majors` entries.
template <class T, class P, class I> struct compressed_rows {
    long majors;
    walked<P> start;
    walked<I> index;
    walked<T> value;
};
template <class T, class P, class I> struct compressed_columns {
    long majors;
    walked<P> start;
    walked<I> index;
    walked<T> value;
};
template <class T, class C, class R> struct triplets {
    long majors;
    walked<C> column;
    walked<R> row;
    walked<T> value;
};
template <class T, class P, class I>
compressed_rows<T, P, I> by_rows(const long rows, const walked<P> start, const walked<I> column, const walked<T> value)
{
    return {rows, start, column, value};
}
template <class T, class P, class I>
compressed_columns<T, P, I> by_columns(const long columns, const walked<P> start, const walked<I> row,
                                       const walked<T> value)
{
    return {columns, start, row, value};
}
template <class T, class C, class R>
triplets<T, C, R> by_triplets(const long entries, const walked<C> column, const walked<R> row, const walked<T> value)
{
    return {entries, column, row, value};
}

} // namespace rt

// An element of the result a thread.
template <class T, class P, class I>
RT_KERNEL void rt_sparse_rows(const long rows, const long vectors, const rt_in<P> start, const long start_first,
                              const rt_in<I> column, const long column_first, const rt_in<T> value,
                              const long value_first, const T alpha, const rt_in<T> x, const long x_first,
                              const long x_row, const long x_vector, const bool overwritten, const T beta,
                              const rt_inout<T> y, const long y_first, const long y_row, const long y_vector)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= rows * vectors) return;
    const long i = at / vectors, j = at % vectors, end = (long)start[start_first + i + 1];
    T sum = 0;
    for (long p = (long)start[start_first + i]; p < end; p++)
        sum += value[value_first + p] * x[x_first + (long)column[column_first + p] * x_row + j * x_vector];
    rt_update(y, y_first + i * y_row + j * y_vector, overwritten, beta, alpha * sum);
}

// A column, for one vector, a thread.
template <class T, class P, class I>
RT_KERNEL void rt_sparse_columns(const long columns, const long vectors, const rt_in<P> start, const long start_first,
                                 const rt_in<I> row, const long row_first, const rt_in<T> value,
                                 const long value_first, const T alpha, const rt_in<T> x, const long x_first,
                                 const long x_row, const long x_vector, const rt_inout<T> y, const long y_first,
                                 const long y_row, const long y_vector)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= columns * vectors) return;
    const long i = at / vectors, j = at % vectors, end = (long)start[start_first + i + 1];
    for (long p = (long)start[start_first + i]; p < end; p++) {
        const T product = alpha * (value[value_first + p] * x[x_first + i * x_row + j * x_vector]);
        rt_atomic<rt_add>(y[y_first + (long)row[row_first + p] * y_row + j * y_vector], product);
    }
}

// An entry, for one vector, a thread.
template <class T, class C, class R>
RT_KERNEL void rt_sparse_triplets(const long entries, const long vectors, const rt_in<C> column,
                                  const long column_first, const rt_in<R> row, const long row_first,
                                  const rt_in<T> value, const long value_first, const T alpha, const rt_in<T> x,
                                  const long x_first, const long x_row, const long x_vector, const rt_inout<T> y,
                                  const long y_first, const long y_row, const long y_vector)
{
    const long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= entries * vectors) return;
    const long p = at / vectors, j = at % vectors;
    const T factor = x[x_first + (long)column[column_first + p] * x_row + j * x_vector];
    rt_atomic<rt_add>(y[y_first + (long)row[row_first + p] * y_row + j * y_vector],
                      alpha * (value[value_first + p] * factor));
}

namespace rt {

// The rows that begin in each tile of entries, and room for the parts of rows over several tiles, of so many vectors.
template <class T> struct tiled : lasting {
    const pattern &of;
    const long vectors, tiles;
    array<long> row_of_tile, first_of_tile;
    array<rt_word<T>> parts;
    array<unsigned> arrived;

    tiled(region &owner, const pattern &p, const long vectors)
        : of(p), vectors(vectors), tiles(rt_max(1, rt_ceildiv(p.entries(), tile_entries))),
          row_of_tile(owner, "rows of tiles", nullptr, tiles + 1),
          first_of_tile(owner, "entries of tiles", nullptr, tiles + 1),
          parts(owner, "parts of rows", nullptr, 2 * tiles * vectors),
          arrived(owner, "parts that are there", nullptr, tiles * vectors)
    {
    }
};

// What is known of the matrix.
template <class T, class P, class I> pattern &known(region &owner, const int line, const compressed_rows<T, P, I> &a)
{
    return pattern_of(owner, line, a.start, a.majors, false);
}
template <class T, class P, class I> pattern &known(region &owner, const int line, const compressed_columns<T, P, I> &a)
{
    return pattern_of(owner, line, a.start, a.majors, false);
}
template <class T, class C, class R> pattern &known(region &owner, const int line, const triplets<T, C, R> &a)
{
    pattern &found = pattern_of(owner, line, a.row, a.majors - 1, true);
    found.in_order |= a.majors == 1;
    found.first = 0;
    found.last = a.majors;
    return found;
}

} // namespace rt

#ifndef RT_SIM
#include "rt_cusparse.h"
#endif

namespace rt {

// Seconds that the library saves on an entry and vector, against the kernels here, and that it takes to load. It saves none
// (measured on an H200 with even rows and with uneven ones), so that it is called where the program asks for it alone.
inline constexpr double seconds_saved_on_entry = 0, seconds_to_load_sparse = 0.09;

// Whether the products so far, with this one, would have saved what loading the library takes.
inline bool sparse_library_pays(const long products)
{
#ifdef RT_SIM
    (void)products;
    const char *wish = env("RT_SIM_LIBRARY");
    return !wish || strcmp(wish, "0") != 0;
#else
    static double saved = 0;
    saved += (double)products * seconds_saved_on_entry;
    return saved >= seconds_to_load_sparse;
#endif
}

// Whether the product is better done below than by the program's own kernel: with several vectors, which that may go
// through one after the other, in any case.
template <class T, class P, class I>
bool sparse_pays(region &owner, const int line, const compressed_rows<T, P, I> &a, const long vectors)
{
    if (a.majors <= 0 || vectors <= 0) return false;
    pattern &p = known(owner, line, a);
    p.by_library = sparse_library_pays(p.entries() * vectors);
    return p.in_order && (p.by_library || vectors > 1 || !rows_suit_threads(p));
}
template <class M> bool sparse_pays(region &owner, const int line, const M &a, const long vectors)
{
    if (a.majors <= 0 || vectors <= 0) return false;
    pattern &p = known(owner, line, a);
    p.by_library = sparse_library_pays(p.entries() * vectors);
    return p.in_order && p.by_library;
}

// y = beta y + alpha A x by tiles of entries.
template <class T, class P, class I>
void product_by_tiles(region &owner, const int line, const compressed_rows<T, P, I> &a, pattern &p, const long vectors,
                      const T alpha, const matrix<T> &x, const bool overwritten, const T beta, const matrix<T> &y)
{
    tiled<T> *made = owner.find<tiled<T>>([&](const tiled<T> &t) { return &t.of == &p && t.vectors == vectors; });
    if (!made) {
        made = owner.keep(new tiled<T>(owner, p, vectors));
        owner.launch("rt_tile_rows", line, rt_tile_rows<T, P>, rt_dims(rt_ceildiv(made->tiles + 1, 256)), rt_dims(256),
                     made->tiles, vectors, a.majors, p.entries(), a.start.of, a.start.first, made->row_of_tile, made->first_of_tile,
                     made->parts, made->arrived);
    }
    const rt_size3 grid = rt_dims(made->tiles), block = rt_dims(tile_threads);
    if (vectors == 1)
        owner.launch("rt_sparse_tiles", line, rt_sparse_tiles<T, P, I>, grid, block, a.start.of, a.start.first,
                     a.index.of, a.index.first, a.value.of, a.value.first, made->row_of_tile, made->first_of_tile, alpha, x.of, x.first, x.row,
                     overwritten, beta, y.of, y.first, y.row, made->parts, made->arrived);
    else
        owner.launch("rt_sparse_tiles_of_several", line, rt_sparse_tiles_of_several<T, P, I>, grid, block, vectors, a.start.of, a.start.first, a.index.of, a.index.first, a.value.of, a.value.first,
                     made->row_of_tile, made->first_of_tile, alpha, x.of, x.first, x.row, x.column, overwritten, beta, y.of, y.first, y.row,
                     y.column, made->parts, made->arrived);
}

// By kernels of this header.
template <class T, class P, class I>
void product_by_threads(region &owner, const int line, const compressed_rows<T, P, I> &a, pattern &p, const long vectors,
                        const T alpha, const matrix<T> &x, const bool overwritten, const T beta, const matrix<T> &y)
{
    if (p.in_order && (vectors == 1 || !rows_suit_threads(p)))
        return product_by_tiles(owner, line, a, p, vectors, alpha, x, overwritten, beta, y);
    owner.launch("rt_sparse_rows", line, rt_sparse_rows<T, P, I>, rt_dims(rt_ceildiv(a.majors * vectors, 128)),
                 rt_dims(128), a.majors, vectors, a.start.of, a.start.first, a.index.of, a.index.first, a.value.of,
                 a.value.first, alpha, x.of, x.first, x.row, x.column, overwritten, beta, y.of, y.first, y.row, y.column);
}
template <class T, class P, class I>
void product_by_threads(region &owner, const int line, const compressed_columns<T, P, I> &a, pattern &,
                        const long vectors, const T alpha, const matrix<T> &x, bool, T, const matrix<T> &y)
{
    owner.launch("rt_sparse_columns", line, rt_sparse_columns<T, P, I>, rt_dims(rt_ceildiv(a.majors * vectors, 128)),
                 rt_dims(128), a.majors, vectors, a.start.of, a.start.first, a.index.of, a.index.first, a.value.of,
                 a.value.first, alpha, x.of, x.first, x.row, x.column, y.of, y.first, y.row, y.column);
}
template <class T, class C, class R>
void product_by_threads(region &owner, const int line, const triplets<T, C, R> &a, pattern &, const long vectors,
                        const T alpha, const matrix<T> &x, bool, T, const matrix<T> &y)
{
    owner.launch("rt_sparse_triplets", line, rt_sparse_triplets<T, C, R>, rt_dims(rt_ceildiv(a.majors * vectors, 128)),
                 rt_dims(128), a.majors, vectors, a.column.of, a.column.first, a.row.of, a.row.first, a.value.of,
                 a.value.first, alpha, x.of, x.first, x.row, x.column, y.of, y.first, y.row, y.column);
}

template <class T, class M>
void sparse_product(region &owner, const int line, const M &a, const long vectors, const T alpha, const matrix<T> &x,
                    const bool overwritten, const T beta, const matrix<T> &y)
{
    if (a.majors <= 0 || vectors <= 0) return;
    pattern &p = known(owner, line, a);
#ifndef RT_SIM
    if (product_by_cusparse(owner, line, a, p, vectors, alpha, x, overwritten, beta, y)) return;
#endif
    product_by_threads(owner, line, a, p, vectors, alpha, x, overwritten, beta, y);
}

// y = alpha A x
template <class T, class M>
void sparse_product(region &owner, const int line, const M &a, const long vectors, const double alpha,
                    const matrix<T> &x, const matrix<T> &y)
{
    sparse_product(owner, line, a, vectors, (T)alpha, x, true, (T)0, y);
}

// y = beta y + alpha A x
template <class T, class M>
void sparse_product(region &owner, const int line, const M &a, const long vectors, const double alpha,
                    const matrix<T> &x, const double beta, const matrix<T> &y)
{
    sparse_product(owner, line, a, vectors, (T)alpha, x, false, (T)beta, y);
}

} // namespace rt

/* The back end of the CPU: plain loops, and the system's BLAS for products of dense matrices. */

#define T float
#define OF(name) name##_s
#include "rtcuda_api_loops.h"
#undef T
#undef OF
#define T double
#define OF(name) name##_d
#include "rtcuda_api_loops.h"
#undef T
#undef OF

static long elements(const RTdense *a)
{
    return a->rows * a->cols;
}

static const char *host_name(void)
{
    static char name[512];
    snprintf(name, sizeof name, "CPU, %s%s%s%s", blas_is_there() ? "BLAS of " : "plain C",
             blas_is_there() ? blas.name : "", state.why_host ? "; " : "", state.why_host ? state.why_host : "");
    return name;
}

static int host_wait(void)
{
    return RT_OK;
}

/* Nothing is ever elsewhere. */
static int host_to_host(rtapi_block *block)
{
    (void)block;
    return RT_OK;
}

static void host_forget_dense(RTdense *a)
{
    (void)a;
}

static void host_forget_sparse(RTsparse *a)
{
    (void)a;
}

/* Data for an operator. A device would now have them: where RTCUDA_MOVE is 1 they move here too, once a call, so that a
 * sanitizer finds a pointer of the program's that is used too long. */
static void *taken(const rtapi_block *constant, rtapi_access access)
{
    rtapi_block *block = (rtapi_block *)constant;
    void *at = rtapi_host(block, access);
    if (!at || !state.is_moving || block->moved_in == state.n_calls) return at;
    void *to = malloc(block->bytes + 1);
    if (!to) return at;
    memcpy(to, at, block->bytes);
    free(at);
    block->moved_in = state.n_calls;
    return block->host = to;
}

static const void *sparse_taken(const RTsparse *a)
{
    return sparse_on_host(a, RTAPI_READ) ? taken(&a->values, RTAPI_READ) : NULL;
}

static int host_product(const RTdense *a, const RTdense *b, RTdense *c)
{
    const void *x = taken(&a->values, RTAPI_READ), *y = taken(&b->values, RTAPI_READ);
    void *to = taken(&c->values, RTAPI_WRITE);
    if (!x || !y || !to) return state.code;
    if (blas_takes(a->rows, b->cols, a->cols))
        blas_product(a->type, a->rows, b->cols, a->cols, x, y, to);
    else if (a->type == RT_SINGLE)
        product_s(a->rows, b->cols, a->cols, x, y, to);
    else
        product_d(a->rows, b->cols, a->cols, x, y, to);
    return RT_OK;
}

static int host_product_with_vector(const RTdense *a, const RTdense *x, RTdense *y)
{
    const void *matrix = taken(&a->values, RTAPI_READ), *from = taken(&x->values, RTAPI_READ);
    void *to = taken(&y->values, RTAPI_WRITE);
    if (!matrix || !from || !to) return state.code;
    if (blas_takes(a->rows, a->cols, 1))
        blas_product_with_vector(a->type, a->rows, a->cols, matrix, from, to);
    else if (a->type == RT_SINGLE)
        product_with_vector_s(a->rows, a->cols, matrix, from, to);
    else
        product_with_vector_d(a->rows, a->cols, matrix, from, to);
    return RT_OK;
}

static int host_transpose(const RTdense *a, RTdense *b)
{
    const void *from = taken(&a->values, RTAPI_READ);
    void *to = taken(&b->values, RTAPI_WRITE);
    if (!from || !to) return state.code;
    if (a->type == RT_SINGLE)
        transpose_s(a->rows, a->cols, from, to);
    else
        transpose_d(a->rows, a->cols, from, to);
    return RT_OK;
}

static int host_outer(const RTdense *x, const RTdense *y, RTdense *c)
{
    const void *left = taken(&x->values, RTAPI_READ), *right = taken(&y->values, RTAPI_READ);
    void *to = taken(&c->values, RTAPI_WRITE);
    if (!left || !right || !to) return state.code;
    if (x->type == RT_SINGLE)
        outer_s(elements(x), elements(y), left, right, to);
    else
        outer_d(elements(x), elements(y), left, right, to);
    return RT_OK;
}

static int host_dot(const RTdense *x, const RTdense *y, double *result)
{
    const void *left = taken(&x->values, RTAPI_READ), *right = taken(&y->values, RTAPI_READ);
    if (!left || !right) return state.code;
    *result = x->type == RT_SINGLE ? dot_s(elements(x), left, right) : dot_d(elements(x), left, right);
    return RT_OK;
}

static int host_norm(const RTdense *x, double *result)
{
    const void *from = taken(&x->values, RTAPI_READ);
    if (!from) return state.code;
    *result = x->type == RT_SINGLE ? norm_s(elements(x), from) : norm_d(elements(x), from);
    return RT_OK;
}

static int host_copy(const RTdense *x, RTdense *y)
{
    const void *from = taken(&x->values, RTAPI_READ);
    void *to = taken(&y->values, RTAPI_WRITE);
    if (!from || !to) return state.code;
    memcpy(to, from, x->values.bytes);
    return RT_OK;
}

static int host_scale(double alpha, RTdense *x)
{
    void *at = taken(&x->values, RTAPI_UPDATE);
    if (!at) return state.code;
    if (x->type == RT_SINGLE)
        scale_s(elements(x), (float)alpha, at);
    else
        scale_d(elements(x), alpha, at);
    return RT_OK;
}

static int host_axpy(double alpha, const RTdense *x, RTdense *y)
{
    const void *from = taken(&x->values, RTAPI_READ);
    void *to = taken(&y->values, RTAPI_UPDATE);
    if (!from || !to) return state.code;
    if (x->type == RT_SINGLE)
        axpy_s(elements(x), (float)alpha, from, to);
    else
        axpy_d(elements(x), alpha, from, to);
    return RT_OK;
}

static int host_add(double alpha, const RTdense *x, double beta, const RTdense *y, RTdense *z)
{
    const void *left = taken(&x->values, RTAPI_READ), *right = taken(&y->values, RTAPI_READ);
    void *to = taken(&z->values, RTAPI_WRITE);
    if (!left || !right || !to) return state.code;
    if (x->type == RT_SINGLE)
        add_s(elements(x), (float)alpha, left, (float)beta, right, to);
    else
        add_d(elements(x), alpha, left, beta, right, to);
    return RT_OK;
}

/* How many entries each row of a b has, as the starts of its rows; their number, or -1 where it is beyond an int. */
static long product_starts(const RTsparse *a, const RTsparse *b, int *starts, int *seen)
{
    const int *a_starts = a->row.host, *a_indices = a->col.host, *b_starts = b->row.host, *b_indices = b->col.host;
    long count = 0;
    for (long i = 0; i < a->rows; i++) {
        starts[i] = (int)count;
        for (int p = a_starts[i]; p < a_starts[i + 1]; p++)
            for (int q = b_starts[a_indices[p]]; q < b_starts[a_indices[p] + 1]; q++) {
                count += seen[b_indices[q]] != i;
                seen[b_indices[q]] = (int)i;
            }
        if (count > RTAPI_MOST) return -1;
    }
    starts[a->rows] = (int)count;
    return count;
}

static int host_sparse_product(const RTsparse *a, const RTsparse *b, RTsparse *c)
{
    const void *x = sparse_taken(a), *y = sparse_taken(b);
    int *place = malloc(((size_t)b->cols + 1) * sizeof *place);
    int *starts = taken(&c->row, RTAPI_WRITE);
    int code = RT_OK;
    if (!x || !y || !place || !starts) {
        free(place);
        return place ? state.code : no_memory((size_t)b->cols * sizeof *place);
    }
    for (long j = 0; j < b->cols; j++) place[j] = -1;
    c->count = product_starts(a, b, starts, place);
    if (c->count < 0) {
        c->count = 0;
        code = rtapi_fail(RT_EVALUE, "the product has more than %ld entries", RTAPI_MOST);
    } else if ((code = size_entries(c)) == RT_OK) {
        int *indices = taken(&c->col, RTAPI_WRITE);
        void *values = taken(&c->values, RTAPI_WRITE);
        for (long j = 0; j < b->cols; j++) place[j] = -1;
        if (!indices || !values)
            code = state.code;
        else if (c->type == RT_SINGLE)
            sparse_product_s(c->rows, a->row.host, a->col.host, x, b->row.host, b->col.host, y, starts, indices, values,
                             place);
        else
            sparse_product_d(c->rows, a->row.host, a->col.host, x, b->row.host, b->col.host, y, starts, indices, values,
                             place);
        c->maybe_unsorted = 1;
    }
    free(place);
    return code;
}

static int host_sparse_by_dense(const RTsparse *a, const RTdense *b, RTdense *c)
{
    const void *values = sparse_taken(a), *from = taken(&b->values, RTAPI_READ);
    void *to = taken(&c->values, RTAPI_WRITE);
    const int *row = a->row.host, *col = a->col.host;
    const long n = elements(c) / a->rows;
    if (!values || !from || !to) return state.code;
    if (a->type == RT_SINGLE) {
        if (a->format == RT_CSR) by_rows_s(a->rows, n, row, col, values, from, to);
        if (a->format == RT_CSC) by_columns_s(a->rows, a->cols, n, col, row, values, from, to);
        if (a->format == RT_COO) by_entries_s(a->rows, n, a->count, row, col, values, from, to);
    } else {
        if (a->format == RT_CSR) by_rows_d(a->rows, n, row, col, values, from, to);
        if (a->format == RT_CSC) by_columns_d(a->rows, a->cols, n, col, row, values, from, to);
        if (a->format == RT_COO) by_entries_d(a->rows, n, a->count, row, col, values, from, to);
    }
    return RT_OK;
}

static int host_solve(const rtapi_triangle *t, const RTdense *b, RTdense *x)
{
    const void *values = sparse_taken(t->a), *from = taken(&b->values, RTAPI_READ);
    void *to = taken(&x->values, RTAPI_WRITE);
    const int *starts = t->starts->host, *indices = t->indices->host;
    if (!values || !from || !to) return state.code;
    memcpy(to, from, b->values.bytes);
    if (t->a->type == RT_SINGLE)
        solve_s(t->a->rows, t->is_upper, t->is_unit, t->is_transposed, starts, indices, values, to);
    else
        solve_d(t->a->rows, t->is_upper, t->is_unit, t->is_transposed, starts, indices, values, to);
    return RT_OK;
}

static const rtapi_backend host_backend = {
    host_name,      host_wait,           host_to_host,         host_forget_dense,
    host_forget_sparse, host_product,    host_product_with_vector, host_transpose,
    host_outer,     host_dot,            host_norm,            host_copy,
    host_scale,     host_axpy,           host_add,             host_sparse_product,
    host_sparse_by_dense, host_sparse_by_dense, host_solve,
};

/* The functions of rtcuda_api.h: what they check, and the objects. Who computes is a back end: rtcuda_api_host.h on the
 * CPU, rtcuda_api.cu on a GPU where that is linked and there is one. The parts are included, so that a program needs to
 * compile this file alone. */

#include "rtcuda_api.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtcuda_api_inside.h"

/* The most rows, columns or entries of a sparse matrix: one less than an int holds, for the starts of rows. */
#define RTAPI_MOST ((long)INT_MAX - 1)

static struct {
    const char *call; /* the function of the API that runs */
    long n_calls;
    int is_moving; /* whether operators move data on the host: RTCUDA_MOVE */
    int code; /* what the last failure gave */
    char message[1024];
    const rtapi_backend *backend; /* NULL until an operator needs one */
    const char *why_host;
} state;

/* ---- Errors. */

int rtapi_fail(int code, const char *format, ...)
{
    const int length = snprintf(state.message, sizeof state.message, "%s: ", state.call ? state.call : "rtcuda_api");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(state.message + length, sizeof state.message - (size_t)length, format, arguments);
    va_end(arguments);
    state.code = code;
    return code;
}

static int no_memory(size_t bytes)
{
    return rtapi_fail(RT_ENOMEM, "%.0f bytes cannot be had on the host", (double)bytes);
}

const char *RTlastError(void)
{
    return state.message;
}

const char *RTerrorName(int code)
{
    static const char *const names[] = {"RT_OK",     "RT_ENULL",  "RT_ESHAPE", "RT_ETYPE",   "RT_EFORMAT", "RT_EVALUE",
                                        "RT_EALIAS", "RT_ENOMEM", "RT_EFILE",  "RT_ESYNTAX", "RT_EPIVOT",  "RT_EDEVICE"};
    return code >= 0 && code <= RT_EDEVICE ? names[code] : "no code of rtcuda_api.h";
}

/* ---- Memory. */

static size_t type_size(RTtype type)
{
    return type == RT_SINGLE ? sizeof(float) : sizeof(double);
}

void *rtapi_host(const rtapi_block *constant, rtapi_access access)
{
    rtapi_block *block = (rtapi_block *)constant; /* where data lie is not what a program sees of a matrix */
    if (!block->host) {
        block->host = calloc(block->bytes + 1, 1);
        if (!block->host) {
            no_memory(block->bytes);
            return NULL;
        }
    } else if (access != RTAPI_WRITE && !block->on_host && !block->on_device) {
        memset(block->host, 0, block->bytes);
    }
    if (access != RTAPI_WRITE && !block->on_host && block->on_device && state.backend->to_host(block) != RT_OK)
        return NULL;
    block->on_host = 1;
    if (access != RTAPI_READ) block->on_device = 0;
    return block->host;
}

/* Lets go of what a device has of a matrix; what is current must be on the host. */
static void forget_sparse(RTsparse *a)
{
    if (state.backend) state.backend->forget_sparse(a);
    a->row.on_device = a->col.on_device = a->values.on_device = 0;
}

/* Other data in the place of a block's. */
static void replace(rtapi_block *block, void *host, size_t bytes)
{
    free(block->host);
    block->host = host;
    block->bytes = bytes;
    block->on_host = host != NULL;
    block->on_device = 0;
}

/* Makes room for `count` entries by rows; what was there is gone. */
static int size_entries(RTsparse *a)
{
    forget_sparse(a);
    a->format = RT_CSR;
    if (a->row.bytes != ((size_t)a->rows + 1) * sizeof(int)) replace(&a->row, NULL, ((size_t)a->rows + 1) * sizeof(int));
    replace(&a->col, NULL, (size_t)a->count * sizeof(int));
    replace(&a->values, NULL, (size_t)a->count * type_size(a->type));
    return RT_OK;
}

/* Gives back what is beyond the last entry. */
static int shrink_entries(RTsparse *a)
{
    rtapi_block *blocks[] = {&a->col, &a->values};
    const size_t sizes[] = {sizeof(int), type_size(a->type)};
    for (int k = 0; k < 2; k++) {
        blocks[k]->bytes = (size_t)a->count * sizes[k];
        void *smaller = realloc(blocks[k]->host, blocks[k]->bytes + 1);
        if (smaller) blocks[k]->host = smaller;
    }
    return RT_OK;
}

static int sort_rows(RTsparse *a);

/* The values on the host; there too are where they stand, sorted. NULL after an error. */
static void *sparse_on_host(const RTsparse *constant, rtapi_access access)
{
    RTsparse *a = (RTsparse *)constant;
    if (!rtapi_host(&a->row, RTAPI_READ) || !rtapi_host(&a->col, RTAPI_READ) || !rtapi_host(&a->values, access))
        return NULL;
    if (a->maybe_unsorted && sort_rows(a) != RT_OK) return NULL;
    if (access != RTAPI_READ) a->has_diagonal = 0;
    return a->values.host;
}

static int new_dense(RTdense **out, RTtype type, long rows, long cols)
{
    if (rows > 0 && (size_t)cols > SIZE_MAX / 16 / (size_t)rows)
        return rtapi_fail(RT_EVALUE, "%ld x %ld elements are more than memory can have", rows, cols);
    RTdense *a = calloc(1, sizeof *a);
    if (!a) return no_memory(sizeof *a);
    a->type = type;
    a->rows = rows;
    a->cols = cols;
    a->values.bytes = (size_t)rows * (size_t)cols * type_size(type);
    *out = a;
    return RT_OK;
}

static int new_sparse(RTsparse **out, RTtype type, long rows, long cols)
{
    RTsparse *a = calloc(1, sizeof *a);
    if (!a) return no_memory(sizeof *a);
    a->type = type;
    a->format = RT_CSR;
    a->rows = rows;
    a->cols = cols;
    a->row.bytes = ((size_t)rows + 1) * sizeof(int);
    *out = a;
    return RT_OK;
}

void RTdFree(RTdense *a)
{
    if (!a) return;
    if (state.backend) state.backend->forget_dense(a);
    free(a->values.host);
    free(a);
}

void RTspFree(RTsparse *a)
{
    if (!a) return;
    if (state.backend) state.backend->forget_sparse(a);
    free(a->row.host);
    free(a->col.host);
    free(a->values.host);
    free(a);
}

/* Hands out a matrix that was made, or frees it where that failed. */
static int give(RTsparse **out, RTsparse *a, int code)
{
    if (code == RT_OK) {
        *out = a;
    } else {
        RTspFree(a);
        *out = NULL;
    }
    return code;
}

#include "rtcuda_api_blas.h"
#include "rtcuda_api_host.h"
#include "rtcuda_api_sparse.h"
#include "rtcuda_api_market.h"
#include "rtcuda_api_calls.h"
#include "rtcuda_api_sparse_calls.h"

/* What the parts of the API share: objects, and what a back end does. Programs include rtcuda_api.h alone.
 *
 * The checks of arguments stand once, in rtcuda_api.c, before any back end sees them: shapes, types and formats fit, no
 * result is an argument, nothing is empty. A back end moves data and computes. */
#ifndef RTCUDA_API_INSIDE_H
#define RTCUDA_API_INSIDE_H

#include <stddef.h>

#include "rtcuda_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done with data: read; written whole, whatever they were; both. */
typedef enum { RTAPI_READ, RTAPI_WRITE, RTAPI_UPDATE } rtapi_access;

/* Data that lie on the host, on a device, or on both. Where neither holds what is current, all of it is zero. */
typedef struct rtapi_block {
    size_t bytes;
    void *host, *device; /* NULL until needed */
    int on_host, on_device; /* which of them holds what is current */
    long moved_in; /* the last call that moved it on the host */
} rtapi_block;

struct RTdense {
    RTtype type;
    long rows, cols;
    rtapi_block values;
    void *plan; /* what the device's back end keeps for it */
};

struct RTsparse {
    RTtype type;
    RTformat format;
    long rows, cols, count;
    rtapi_block row, col, values;
    int maybe_unsorted; /* a product by the device: the columns of a row may be in any order */
    int has_diagonal; /* known to have no zero on its diagonal */
    void *plan;
};

/* The compressed arrays of a triangular solve as those of a matrix by rows, for either format. */
typedef struct rtapi_triangle {
    const RTsparse *a;
    const rtapi_block *starts, *indices;
    int is_upper, is_unit, is_transposed;
} rtapi_triangle;

/* Operators return RT_OK, or what rtapi_fail gave. */
typedef struct rtapi_backend {
    const char *(*name)(void);
    int (*wait)(void);
    /* Copies a block to the host; lets go of what the device has for an object. */
    int (*to_host)(rtapi_block *block);
    void (*forget_dense)(RTdense *a);
    void (*forget_sparse)(RTsparse *a);

    int (*product)(const RTdense *a, const RTdense *b, RTdense *c);
    int (*product_with_vector)(const RTdense *a, const RTdense *x, RTdense *y);
    int (*transpose)(const RTdense *a, RTdense *b);
    int (*outer)(const RTdense *x, const RTdense *y, RTdense *c);
    int (*dot)(const RTdense *x, const RTdense *y, double *result);
    int (*norm)(const RTdense *x, double *result);
    int (*copy)(const RTdense *x, RTdense *y);
    int (*scale)(double alpha, RTdense *x);
    int (*axpy)(double alpha, const RTdense *x, RTdense *y);
    int (*add)(double alpha, const RTdense *x, double beta, const RTdense *y, RTdense *z);

    /* Sets the arrays, the count and maybe_unsorted of c, which has none; all are by rows. */
    int (*sparse_product)(const RTsparse *a, const RTsparse *b, RTsparse *c);
    int (*sparse_by_dense)(const RTsparse *a, const RTdense *b, RTdense *c);
    int (*sparse_by_vector)(const RTsparse *a, const RTdense *x, RTdense *y);
    int (*solve)(const rtapi_triangle *t, const RTdense *b, RTdense *x);
} rtapi_backend;

/* The device's back end, in rtcuda_api.cu; not there where that file is not linked. Gives NULL, and why, where there is
 * no device. */
#ifdef __GNUC__
__attribute__((weak))
#endif
const rtapi_backend *rtapi_device(const char **why_not);

/* Sets the message of the call in progress; gives back the code. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
int rtapi_fail(int code, const char *format, ...);

/* Data on the host, for a use; NULL after an error. */
void *rtapi_host(const rtapi_block *block, rtapi_access access);

#ifdef __cplusplus
}
#endif

#endif

/* cuBLAS and cuSPARSE, loaded by name: a program is built without them. Declared here is what is called, as their own
 * headers have it (since CUDA 12), but for two things: scalars and elements are `void`, so that one table serves float
 * and double, and handles, descriptors and enumerations are `void *` and `int`. */
#ifndef RTCUDA_API_LIBRARIES_H
#define RTCUDA_API_LIBRARIES_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

namespace {

typedef void *handle;
typedef void *descriptor;

enum { op_plain = 0, op_transposed = 1 };          /* cublasOperation_t, cusparseOperation_t */
enum { index_int = 2, base_zero = 0 };             /* cusparseIndexType_t, cusparseIndexBase_t */
enum { order_rows = 2 };                           /* cusparseOrder_t */
enum { attribute_fill = 0, attribute_diagonal = 1 }; /* cusparseSpMatAttribute_t */
enum { spmv_default = 0, spmm_default = 0, spmm_csr_by_rows = 6, spsv_default = 0 };
enum { spgemm_default = 0, spgemm_by_parts = 5 }; /* cusparseSpGEMMAlg_t */
enum { cublas_no_memory = 3, cusparse_no_memory = 2, cusparse_no_resources = 11 };

struct {
    int (*create)(handle *);
    const char *(*status)(int);
    /* For float, and for double. */
    int (*gemm[2])(handle, int, int, long, long, long, const void *, const void *, long, const void *, long, const void *,
                   void *, long);
    int (*gemv[2])(handle, int, long, long, const void *, const void *, long, const void *, long, const void *, void *,
                   long);
    int (*geam[2])(handle, int, int, long, long, const void *, const void *, long, const void *, const void *, long, void *,
                   long);
    int (*dot[2])(handle, long, const void *, long, const void *, long, void *);
    int (*nrm2[2])(handle, long, const void *, long, void *);
    int (*scal[2])(handle, long, const void *, void *, long);
    int (*axpy[2])(handle, long, const void *, const void *, long, void *, long);
} cublas;

struct {
    int (*create)(handle *);
    const char *(*status)(int);
    int (*csr)(descriptor *, long, long, long, void *, void *, void *, int, int, int, int);
    int (*csc)(descriptor *, long, long, long, void *, void *, void *, int, int, int, int);
    int (*coo)(descriptor *, long, long, long, void *, void *, void *, int, int, int);
    int (*set_attribute)(descriptor, int, void *, size_t);
    int (*set_pointers)(descriptor, void *, void *, void *);
    int (*get_size)(descriptor, long *, long *, long *);
    int (*destroy_matrix)(descriptor);
    int (*dense_vector)(descriptor *, long, void *, int);
    int (*destroy_vector)(descriptor);
    int (*dense_matrix)(descriptor *, long, long, long, void *, int, int);
    int (*destroy_dense)(descriptor);

    int (*spmv_size)(handle, int, const void *, descriptor, descriptor, const void *, descriptor, int, int, size_t *);
    int (*spmv_prepare)(handle, int, const void *, descriptor, descriptor, const void *, descriptor, int, int, void *);
    int (*spmv)(handle, int, const void *, descriptor, descriptor, const void *, descriptor, int, int, void *);
    int (*spmm_size)(handle, int, int, const void *, descriptor, descriptor, const void *, descriptor, int, int, size_t *);
    int (*spmm)(handle, int, int, const void *, descriptor, descriptor, const void *, descriptor, int, int, void *);

    int (*spsv_create)(descriptor *);
    int (*spsv_destroy)(descriptor);
    int (*spsv_size)(handle, int, const void *, descriptor, descriptor, descriptor, int, int, descriptor, size_t *);
    int (*spsv_analyse)(handle, int, const void *, descriptor, descriptor, descriptor, int, int, descriptor, void *);
    int (*spsv)(handle, int, const void *, descriptor, descriptor, descriptor, int, int, descriptor);

    int (*spgemm_create)(descriptor *);
    int (*spgemm_destroy)(descriptor);
    int (*spgemm_estimate)(handle, int, int, const void *, descriptor, descriptor, const void *, descriptor, int, int,
                           descriptor, size_t *, void *);
    int (*spgemm_memory)(handle, int, int, const void *, descriptor, descriptor, const void *, descriptor, int, int, descriptor,
                         float, size_t *, void *, size_t *);
    int (*spgemm_compute)(handle, int, int, const void *, descriptor, descriptor, const void *, descriptor, int, int,
                          descriptor, size_t *, void *);
    int (*spgemm_copy)(handle, int, int, const void *, descriptor, descriptor, const void *, descriptor, int, int,
                       descriptor);
} cusparse;

/* A library, function by function; what is missing is told. */
struct loader {
    void *library = nullptr;
    char missing[160] = "";

    template <class... Names> explicit loader(const Names *...all)
    {
        const char *const names[] = {all...};
        for (const char *name : names) {
            if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (!library && !*missing) snprintf(missing, sizeof missing, "%s is not found (LD_LIBRARY_PATH)", name);
        }
        if (library) *missing = 0;
    }
    template <class F> void get(F &function, const char *name)
    {
        void *const found = library ? dlsym(library, name) : nullptr;
        if (library && !found && !*missing) snprintf(missing, sizeof missing, "a library has no function %s", name);
        memcpy(&function, &found, sizeof found);
    }
    template <class F> void get(F &function, const char *single, const char *twice)
    {
        get(function[0], single);
        get(function[1], twice);
    }
};

/* NULL, or what is missing. */
inline const char *load_cublas()
{
    static loader from("libcublas.so.13", "libcublas.so.12", "libcublas.so");
    from.get(cublas.create, "cublasCreate_v2");
    from.get(cublas.status, "cublasGetStatusString");
    from.get(cublas.gemm, "cublasSgemm_v2_64", "cublasDgemm_v2_64");
    from.get(cublas.gemv, "cublasSgemv_v2_64", "cublasDgemv_v2_64");
    from.get(cublas.geam, "cublasSgeam_64", "cublasDgeam_64");
    from.get(cublas.dot, "cublasSdot_v2_64", "cublasDdot_v2_64");
    from.get(cublas.nrm2, "cublasSnrm2_v2_64", "cublasDnrm2_v2_64");
    from.get(cublas.scal, "cublasSscal_v2_64", "cublasDscal_v2_64");
    from.get(cublas.axpy, "cublasSaxpy_v2_64", "cublasDaxpy_v2_64");
    return *from.missing ? from.missing : nullptr;
}

inline const char *load_cusparse()
{
    static loader from("libcusparse.so.12", "libcusparse.so");
    from.get(cusparse.create, "cusparseCreate");
    from.get(cusparse.status, "cusparseGetErrorString");
    from.get(cusparse.csr, "cusparseCreateCsr");
    from.get(cusparse.csc, "cusparseCreateCsc");
    from.get(cusparse.coo, "cusparseCreateCoo");
    from.get(cusparse.set_attribute, "cusparseSpMatSetAttribute");
    from.get(cusparse.set_pointers, "cusparseCsrSetPointers");
    from.get(cusparse.get_size, "cusparseSpMatGetSize");
    from.get(cusparse.destroy_matrix, "cusparseDestroySpMat");
    from.get(cusparse.dense_vector, "cusparseCreateDnVec");
    from.get(cusparse.destroy_vector, "cusparseDestroyDnVec");
    from.get(cusparse.dense_matrix, "cusparseCreateDnMat");
    from.get(cusparse.destroy_dense, "cusparseDestroyDnMat");
    from.get(cusparse.spmv_size, "cusparseSpMV_bufferSize");
    from.get(cusparse.spmv_prepare, "cusparseSpMV_preprocess");
    from.get(cusparse.spmv, "cusparseSpMV");
    from.get(cusparse.spmm_size, "cusparseSpMM_bufferSize");
    from.get(cusparse.spmm, "cusparseSpMM");
    from.get(cusparse.spsv_create, "cusparseSpSV_createDescr");
    from.get(cusparse.spsv_destroy, "cusparseSpSV_destroyDescr");
    from.get(cusparse.spsv_size, "cusparseSpSV_bufferSize");
    from.get(cusparse.spsv_analyse, "cusparseSpSV_analysis");
    from.get(cusparse.spsv, "cusparseSpSV_solve");
    from.get(cusparse.spgemm_create, "cusparseSpGEMM_createDescr");
    from.get(cusparse.spgemm_destroy, "cusparseSpGEMM_destroyDescr");
    from.get(cusparse.spgemm_estimate, "cusparseSpGEMM_workEstimation");
    from.get(cusparse.spgemm_memory, "cusparseSpGEMM_estimateMemory");
    from.get(cusparse.spgemm_compute, "cusparseSpGEMM_compute");
    from.get(cusparse.spgemm_copy, "cusparseSpGEMM_copy");
    return *from.missing ? from.missing : nullptr;
}

} // namespace

#endif

/* Dense and sparse matrices for C programs: products, vector operations, triangular solves, factorisations, files.
 *
 * The same program runs on a GPU, by cuBLAS and cuSPARSE, or on a CPU, by plain C and the system's BLAS:
 *
 *     cc   program.c rtcuda_api.c -lm -ldl                  the CPU
 *     nvcc program.c rtcuda_api.c rtcuda_api.cu -ldl        a GPU; the CPU where there is none
 *
 * `rtcuda convert program.c` puts all of it into its output folder; `rtcuda api -o DIR` writes it alone.
 *
 * Example: y = A x for a matrix from a file.
 *
 *     RTsparse *A;
 *     RTdense *x, *y;
 *     if (RTspLoad(&A, RT_DOUBLE, RT_CSR, "a.mtx") || RTdAlloc(&x, RT_DOUBLE, RTspCols(A), 1) ||
 *         RTdAlloc(&y, RT_DOUBLE, RTspRows(A), 1) || RTdFill(x, 1) || RTspdDMV(A, x, y)) {
 *         fprintf(stderr, "%s\n", RTlastError());
 *         return 1;
 *     }
 *     printf("%g\n", RTdDRead(y)[0]);
 *
 * Shapes are rows x columns, counted from 0. A vector is a dense matrix of one column or of one row. Elements of a
 * dense matrix lie by rows, as those of `double a[rows][cols]`. All matrices of a call have one type, RT_SINGLE (float)
 * or RT_DOUBLE (double); a function of Table 5 of the RT-CUDA paper has it in its name (S or D). Scalars are doubles.
 *
 * Errors. What returns `int` returns RT_OK (0) or one of the codes below, RTlastError() then says what was wrong and
 * where. What returns a pointer or a size returns NULL or -1 instead. After an error of the arguments nothing was
 * changed; after RT_ENOMEM, RT_EPIVOT or RT_EDEVICE what a call was to write is unspecified. A device computes behind the
 * program's back, so that the call after the one that failed may be the first to know (RTwait() is one). What makes an
 * object sets it to NULL where it fails. Nothing is printed.
 *
 * Where data lie. On a GPU they stay there between calls. A pointer from RTdDData() and its like brings them to the host;
 * the next call that takes the object may move them on, so ask for the pointer again after it. On the CPU an older pointer
 * works by chance; with RTCUDA_MOVE=1 in the environment it does not, and -fsanitize=address or valgrind names it. A GPU may
 * compute while the program goes on: RTwait() before a clock is read.
 *
 * One thread at a time calls these functions. */
#ifndef RTCUDA_API_H
#define RTCUDA_API_H

#ifdef __cplusplus
extern "C" {
#endif

/* What went wrong. */
enum {
    RT_OK = 0,
    RT_ENULL = 1,    /* an argument is NULL */
    RT_ESHAPE = 2,   /* shapes do not fit */
    RT_ETYPE = 3,    /* RT_SINGLE where RT_DOUBLE is meant, or the reverse */
    RT_EFORMAT = 4,  /* no operator for this sparse format: see RTspConvert */
    RT_EVALUE = 5,   /* a size, index, density or number is out of its range */
    RT_EALIAS = 6,   /* one object is argument and result */
    RT_ENOMEM = 7,   /* no memory, of the host or of the device */
    RT_EFILE = 8,    /* a file cannot be opened, read or written */
    RT_ESYNTAX = 9,  /* a file is not Matrix Market: the message has its line */
    RT_EPIVOT = 10,  /* a pivot or an element of the diagonal is zero (IC(0): not positive); the message has its row */
    RT_EDEVICE = 11  /* CUDA, cuBLAS or cuSPARSE failed, or is asked for and not there */
};

typedef enum { RT_SINGLE = 1, RT_DOUBLE = 2 } RTtype;

/* How a sparse matrix lies in memory. RTspRowArray(), RTspColArray(): of each entry its row and its column (RT_COO);
 * where each row starts, rows + 1 numbers, and of each entry its column (RT_CSR); of each entry its row, and where each
 * column starts (RT_CSC). Entries are sorted, by rows in RT_COO and RT_CSR, by columns in RT_CSC; no place has two. */
typedef enum { RT_COO = 1, RT_CSR = 2, RT_CSC = 3 } RTformat;

/* What of a matrix RTspSolve reads: the triangle with the diagonal, or without it as if ones stood there. */
typedef enum { RT_LOWER = 1, RT_UPPER = 2, RT_UNIT_LOWER = 3, RT_UNIT_UPPER = 4 } RTpart;

/* The matrix as it is, or its transpose. */
typedef enum { RT_PLAIN = 1, RT_TRANSPOSED = 2 } RTuse;

typedef struct RTdense RTdense;
typedef struct RTsparse RTsparse;

/* ---- Errors, and the machine. */

/* What was wrong with the last call that failed: "RTdDMM: A is 3 x 4 and B 5 x 2: ..."; "" before there was one. */
const char *RTlastError(void);

/* "RT_ESHAPE". */
const char *RTerrorName(int code);

/* What operators run on, and why: "NVIDIA H200", "CPU, plain C (no CUDA device: ...)". RTCUDA_BACKEND=cpu in the
 * environment stays on the CPU, RTCUDA_BACKEND=cuda fails with RT_EDEVICE rather than run there; RTCUDA_BLAS is the path
 * of a BLAS for the CPU, or "none". */
const char *RTdevice(void);

/* Waits until what was asked for is done. */
int RTwait(void);

/* ---- Dense matrices. */

/* Rows x cols zeros. */
int RTdAlloc(RTdense **out, RTtype type, long rows, long cols);

/* Elements between 0 and 1, evenly spread: equal seeds give equal matrices. */
int RTdRandom(RTdense **out, RTtype type, long rows, long cols, unsigned long long seed);

/* From and to Matrix Market files. Any real, integer or pattern file is read, in array or coordinate format, general,
 * symmetric or skew-symmetric; an array file is written. */
int RTdLoad(RTdense **out, RTtype type, const char *path);
int RTdSave(const RTdense *a, const char *path);

/* Frees; NULL is no fault. */
void RTdFree(RTdense *a);

long RTdRows(const RTdense *a);
long RTdCols(const RTdense *a);

/* The elements on the host, by rows: to read and write (Data), or to read only (Read), which leaves the device's copy
 * valid. NULL where the type is another. */
float *RTdSData(RTdense *a);
double *RTdDData(RTdense *a);
const float *RTdSRead(const RTdense *a);
const double *RTdDRead(const RTdense *a);

/* ---- Sparse matrices. Rows, columns and entries are at most 2^31 - 2. */

/* Rows x cols without an entry, in RT_CSR: what RTspDMM writes its result to. */
int RTspAlloc(RTsparse **out, RTtype type, long rows, long cols);

/* From n entries in any order; those at one place are summed. */
int RTspEntries(RTsparse **out, RTtype type, RTformat format, long rows, long cols, long n, const long *row,
                const long *col, const double *value);

/* Each element is an entry with probability `density` (0 to 1), its value between 0 and 1. */
int RTspRandom(RTsparse **out, RTtype type, RTformat format, long rows, long cols, double density,
               unsigned long long seed);

/* From and to Matrix Market files: see RTdLoad; a coordinate file is written. Entries at one place are summed; those of a
 * pattern count once. */
int RTspLoad(RTsparse **out, RTtype type, RTformat format, const char *path);
int RTspSave(const RTsparse *a, const char *path);

void RTspFree(RTsparse *a);

long RTspRows(const RTsparse *a);
long RTspCols(const RTsparse *a);
/* How many entries it has. */
long RTspCount(const RTsparse *a);

/* Where the entries are, on the host: see RTformat. */
const int *RTspRowArray(const RTsparse *a);
const int *RTspColArray(const RTsparse *a);

/* The values of the entries on the host: see RTdDData. */
float *RTspSData(RTsparse *a);
double *RTspDData(RTsparse *a);
const float *RTspSRead(const RTsparse *a);
const double *RTspDRead(const RTsparse *a);

/* Another format, in place. */
int RTspConvert(RTsparse *a, RTformat format);

/* A dense matrix of the same elements; a sparse one of those that are not zero. */
int RTdFromSparse(RTdense **out, const RTsparse *a);
int RTspFromDense(RTsparse **out, RTformat format, const RTdense *a);

/* ---- Table 5. No result may be an argument, too. */

/* C = A B */
int RTdSMM(const RTdense *a, const RTdense *b, RTdense *c);
int RTdDMM(const RTdense *a, const RTdense *b, RTdense *c);

/* y = A x */
int RTdSMV(const RTdense *a, const RTdense *x, RTdense *y);
int RTdDMV(const RTdense *a, const RTdense *x, RTdense *y);

/* B = the transpose of A */
int RTdSMT(const RTdense *a, RTdense *b);
int RTdDMT(const RTdense *a, RTdense *b);

/* C = x y', every element of x by every element of y: the product of two vectors that the paper takes cuBLAS's matrix
 * product for. */
int RTdSVV(const RTdense *x, const RTdense *y, RTdense *c);
int RTdDVV(const RTdense *x, const RTdense *y, RTdense *c);

/* The sum of the products of their elements. x and y may be one object. */
int RTdSDOT(const RTdense *x, const RTdense *y, float *result);
int RTdDDOT(const RTdense *x, const RTdense *y, double *result);

/* C = A B, all of them sparse. A and B of any format; C is in RT_CSR afterwards, whatever it was. */
int RTspSMM(const RTsparse *a, const RTsparse *b, RTsparse *c);
int RTspDMM(const RTsparse *a, const RTsparse *b, RTsparse *c);

/* C = A B, A sparse, of any format */
int RTspdSMM(const RTsparse *a, const RTdense *b, RTdense *c);
int RTspdDMM(const RTsparse *a, const RTdense *b, RTdense *c);

/* y = A x, A sparse, of any format; RT_CSR is the fastest */
int RTspdSMV(const RTsparse *a, const RTdense *x, RTdense *y);
int RTspdDMV(const RTsparse *a, const RTdense *x, RTdense *y);

/* ---- What a solver needs beside them, for both types: of vectors and of matrices, element by element. What has the
 * factor 0 is not read. */

int RTdFill(RTdense *x, double value);
/* y = x */
int RTdCopy(const RTdense *x, RTdense *y);
/* x = alpha x */
int RTdScale(double alpha, RTdense *x);
/* y = y + alpha x */
int RTdAxpy(double alpha, const RTdense *x, RTdense *y);
/* z = alpha x + beta y; z may be x or y: p = r + beta p is RTdAdd(1, r, beta, p, p) */
int RTdAdd(double alpha, const RTdense *x, double beta, const RTdense *y, RTdense *z);
/* The square root of the sum of the squares. */
int RTdNorm(const RTdense *x, double *result);

/* The transpose, of the same format. */
int RTspMT(RTsparse **out, const RTsparse *a);

/* Solves A x = b (or A' x = b) where A is the triangle of a square matrix in RT_CSR or RT_CSC. The other triangle is not
 * read. RT_EPIVOT where the diagonal has a zero. */
int RTspSolve(RTpart part, RTuse use, const RTsparse *a, const RTdense *b, RTdense *x);

/* The incomplete factorisations of a square matrix that have no entry where it has none, made on the host, in RT_CSR.
 * ILU(0): A is about L U, in one matrix: solve with RT_UNIT_LOWER, then with RT_UPPER. IC(0): A, symmetric and positive
 * definite, is about L L': solve with RT_LOWER and RT_PLAIN, then with RT_LOWER and RT_TRANSPOSED. */
int RTspILU0(RTsparse **lu, const RTsparse *a);
int RTspIC0(RTsparse **l, const RTsparse *a);

#ifdef __cplusplus
}
#endif

#endif

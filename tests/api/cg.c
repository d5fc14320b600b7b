/* Conjugate gradients on a system from a Matrix Market file, by calls of rtcuda_api.h: cg A.mtx
 * Solves A x = b for the b whose solution is all ones, preconditioned by IC(0), and shows how far x is from that. */
#include <stdio.h>
#include <stdlib.h>

#include "rtcuda_api.h"

/* Any failure ends the program with what the library says of it. */
static void check(int code)
{
    if (code == RT_OK) return;
    fprintf(stderr, "%s: %s\n", RTerrorName(code), RTlastError());
    exit(1);
}

static RTdense *vector(long n)
{
    RTdense *x;
    check(RTdAlloc(&x, RT_DOUBLE, n, 1));
    return x;
}

/* z = M r, M the inverse of L L' */
static void precondition(const RTsparse *l, const RTdense *r, RTdense *z, RTdense *half)
{
    check(RTspSolve(RT_LOWER, RT_PLAIN, l, r, half));
    check(RTspSolve(RT_LOWER, RT_TRANSPOSED, l, half, z));
}

int main(int argc, char **argv)
{
    RTsparse *a, *l;
    if (argc != 2) {
        fprintf(stderr, "usage: cg A.mtx\n");
        return 2;
    }
    check(RTspLoad(&a, RT_DOUBLE, RT_CSR, argv[1]));
    check(RTspIC0(&l, a));
    const long n = RTspRows(a);
    RTdense *x = vector(n), *b = vector(n), *r = vector(n), *z = vector(n), *p = vector(n), *q = vector(n);
    RTdense *half = vector(n), *ones = vector(n);
    check(RTdFill(ones, 1));
    check(RTspdDMV(a, ones, b));

    double norm_b, norm_r, rz, rz_new, pq;
    int iterations = 0;
    check(RTdNorm(b, &norm_b));
    check(RTdCopy(b, r)); /* x is 0 */
    precondition(l, r, z, half);
    check(RTdCopy(z, p));
    check(RTdDDOT(r, z, &rz));
    for (norm_r = norm_b; norm_r > 1e-10 * norm_b && iterations < 10 * n; iterations++) {
        check(RTspdDMV(a, p, q));
        check(RTdDDOT(p, q, &pq));
        check(RTdAxpy(rz / pq, p, x));
        check(RTdAxpy(-rz / pq, q, r));
        check(RTdNorm(r, &norm_r));
        precondition(l, r, z, half);
        check(RTdDDOT(r, z, &rz_new));
        check(RTdAdd(1, z, rz_new / rz, p, p));
        rz = rz_new;
    }

    check(RTdAxpy(-1, ones, x));
    double error;
    check(RTdNorm(x, &error));
    printf("n %ld, %ld entries, %d iterations, residual %.1e, error %.1e\n", n, RTspCount(a), iterations, norm_r / norm_b,
           error);
    RTspFree(a), RTspFree(l);
    RTdFree(x), RTdFree(b), RTdFree(r), RTdFree(z), RTdFree(p), RTdFree(q), RTdFree(half), RTdFree(ones);
    return 0;
}

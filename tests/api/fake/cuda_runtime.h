/* A device that is not there: what rtcuda_api.cu takes of CUDA's runtime, over memory of the host that the program must
 * not mix with its own. See device.cpp. */
#pragma once
#include <stddef.h>

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorNoDevice = 100, cudaErrorIllegalAddress = 700 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
enum { CUDA_R_32F = 0, CUDA_R_64F = 1 };
struct cudaDeviceProp {
    char name[256];
};

cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaFree(void *);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemsetAsync(void *, int, size_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);

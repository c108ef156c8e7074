#pragma once

// Marks a function that the host compiler and the CUDA compiler both compile. Nothing else of CUDA is in the shared
// headers.
#if defined(__CUDACC__)
#define GLASSWORKS_HD __host__ __device__ __forceinline__
#else
#define GLASSWORKS_HD inline __attribute__((always_inline))
#endif

// Before a loop over a few components: what it works on stays in registers.
#if defined(__CUDA_ARCH__)
#define GLASSWORKS_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define GLASSWORKS_UNROLL
#else
#define GLASSWORKS_UNROLL _Pragma("GCC unroll 4")
#endif

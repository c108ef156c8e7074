#pragma once

// Marks a function that the host compiler and the CUDA compiler both compile. Nothing else of CUDA is in the shared
// headers.
#if defined(__CUDACC__)
#define GLASSWORKS_HD __host__ __device__ __forceinline__
#else
#define GLASSWORKS_HD inline __attribute__((always_inline))
#endif

// A long function that many kernels take in. A first build compiles it once and calls it: less to compile, and slower.
#if defined(GLASSWORKS_SMALL_CODE) && !defined(__CUDACC__)
#define GLASSWORKS_SHARED __attribute__((noinline)) inline
#else
#define GLASSWORKS_SHARED GLASSWORKS_HD
#endif

// Before a loop over a few components: what it works on stays in registers.
#if defined(__CUDA_ARCH__)
#define GLASSWORKS_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define GLASSWORKS_UNROLL
#else
#define GLASSWORKS_UNROLL _Pragma("GCC unroll 4")
#endif

#pragma once

// Marks a function that the host compiler and the CUDA compiler both compile. Nothing else of CUDA is in the shared
// headers.
#if defined(__CUDACC__)
#define GLASSWORKS_HD __host__ __device__ __forceinline__
#else
#define GLASSWORKS_HD inline __attribute__((always_inline))
#endif

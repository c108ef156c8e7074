#pragma once

#include "kernels/core/host_device.hpp"

namespace glassworks::inline rounds {

/// (1/d) sum over the axes and columns of |scale sum_x p(x) exp(2 pi i x/L)|^2, where p(x) are sums over the planes of
/// equal coordinate along an axis: |m(k_min)|^2 and the like. In double, in this order; for host and device.
///
/// plane(axis, x, column)  p(x)
template <class Planes>
[[nodiscard]] GLASSWORKS_HD double plane_mode(int dim, int L, int columns, double scale, const double* cosine,
                                              const double* sine, const Planes& plane) {
  double sum = 0.0;
  for (int axis = 0; axis < dim; ++axis) {
    for (int column = 0; column < columns; ++column) {
      double re = 0.0, im = 0.0;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (int x = 0; x < L; ++x) {
        const double p = plane(axis, x, column);
        re += p * cosine[x];
        im += p * sine[x];
      }
      re *= scale;
      im *= scale;
      sum += re * re + im * im;
    }
  }
  return sum / dim;
}

}  // namespace glassworks::inline rounds

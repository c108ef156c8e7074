#pragma once

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace rounds {

/// |scale sum_x p(x) exp(2 pi i x/L)|^2, where p(x) are sums over the planes of equal coordinate along an axis. In
/// double, in this order; for host and device.
///
/// cosine, sine  of 2 pi x/L [L]
/// plane(x)      p(x)
template <class Plane>
[[nodiscard]] GLASSWORKS_HD double line_square(int L, double scale, const double* cosine, const double* sine,
                                               const Plane& plane) {
  double re = 0.0, im = 0.0;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
  for (int x = 0; x < L; ++x) {
    const double p = plane(x);
    re += p * cosine[x];
    im += p * sine[x];
  }
  re *= scale;
  im *= scale;
  return re * re + im * im;
}

/// (1/d) sum over the axes and columns of square(axis, column), each a line_square: |m(k_min)|^2 of a cube and the
/// like.
template <class Square>
[[nodiscard]] GLASSWORKS_HD double mean_over_axes(int dim, int columns, const Square& square) {
  double sum = 0.0;
  for (int axis = 0; axis < dim; ++axis) {
    for (int column = 0; column < columns; ++column) sum += square(axis, column);
  }
  return sum / dim;
}

}}  // namespace glassworks::rounds

#pragma once

#include <type_traits>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// A site of one replica in device memory, by the plain definitions. dim is known to the compiler.
template <int dim>
struct DeviceSite {
  const DeviceBatch& batch;
  int task, replica;
  int coordinate[4];
  int index;  ///< number of the site

  using V = exact::Vector<3>;

  __device__ DeviceSite(const DeviceBatch& b, int task_, int replica_, int site)
      : batch(b), task(task_), replica(replica_), coordinate{}, index(site) {
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) {
      coordinate[axis] = site % b.lattice.L;
      site /= b.lattice.L;
    }
  }

  [[nodiscard]] __device__ int parity() const {
    return (coordinate[0] + coordinate[1] + coordinate[2] + coordinate[3]) & 1;
  }
  [[nodiscard]] __device__ V spin(int site) const {
    const float* s = batch.spins_of(task, replica) + site;
    return {s[0], s[batch.sites()], s[2 * batch.sites()]};
  }
  [[nodiscard]] __device__ V site_field() const {
    if (batch.d_fields == nullptr) return {0.0F, 0.0F, 0.0F};
    const float* h = batch.fields_of(task) + index;
    return {h[0], h[batch.sites()], h[2 * batch.sites()]};
  }
  [[nodiscard]] __device__ V local_field() const {
    const float* J = batch.couplings_of(task);
    const int L = batch.lattice.L;
    V h = site_field();
    int stride = 1;
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) {
      const int forward = coordinate[axis] + 1 < L ? index + stride : index - (L - 1) * stride;
      const int backward = coordinate[axis] > 0 ? index - stride : index + (L - 1) * stride;
      const float* along = J + axis * batch.sites();
      const bool first = axis == 0 && batch.d_fields == nullptr;
      h = first ? exact::first_bond(along[index], spin(forward)) : exact::add_bond(h, along[index], spin(forward));
      h = exact::add_bond(h, along[backward], spin(backward));
      stride *= L;
    }
    return h;
  }
};

/// Calls body(std::integral_constant<int, dim>) for the dimension of a lattice.
template <class Body>
void for_dimension(int dim, const Body& body) {
  switch (dim) {
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    case 3:
      return body(std::integral_constant<int, 3>{});
    default:
      return body(std::integral_constant<int, 4>{});
  }
}

/// The same for kernels that those for any lattice can replace; false where this build has none for that dimension
/// (kernel_sizes.cmake).
template <class Body>
bool for_compiled_dimension(int dim, const Body& body) {
#if GLASSWORKS_CUDA_ALL_SIZES
  for_dimension(dim, body);
  return true;
#else
  if (dim == 3) body(std::integral_constant<int, 3>{});
  return dim == 3;
#endif
}

}}  // namespace glassworks::cuda

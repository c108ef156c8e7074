#pragma once

#include "kernels/cuda/multispin/bit_measurement.hpp"

/// Sums over planes as the observables of a unit read them.
namespace glassworks { inline namespace cuda {

/// Sums of a field in a lane over the planes of a hypercubic lattice. row_of_fields: unit and field, [unit][field]
struct CubePlanes {
  const std::uint16_t* planes;
  int lanes, dim, L, sites;  ///< of a plane

  __device__ CubePlanes(const MultispinBatch& b, const MeasuredBits& sums, std::int64_t row_of_fields, int lane)
      : lanes(b.lanes()), dim(b.lattice.dim), L(b.lattice.L), sites(2 * b.lattice.plane) {
    planes = sums.d_planes + row_of_fields * dim * L * lanes + lane;
  }
  [[nodiscard]] __device__ __forceinline__ int at(int axis, int x) const {
    return sites - 2 * static_cast<int>(planes[(axis * L + x) * lanes]);
  }
  [[nodiscard]] __device__ long long total() const {
    long long sum = 0;
#pragma unroll 8
    for (int x = 0; x < L; ++x) sum += at(0, x);
    return sum;
  }
  /// Axes whose mean is |m(k_min)|^2.
  [[nodiscard]] __device__ bool has(int) const { return true; }
};

/// The same of a graph: the longest ones, in the order of ClusterFormulas.
struct GraphPlanes {
  const MultispinBatch& b;
  const int* planes;
  int lanes, dim, L;

  __device__ GraphPlanes(const MultispinBatch& batch, const MeasuredBits& sums, std::int64_t row_of_fields, int lane)
      : b(batch), lanes(b.lanes()), dim(b.common.lattice.dim), L(b.common.lattice.longest()) {
    planes = sums.d_graph_planes + row_of_fields * b.graph.planes * lanes + lane;
  }
  [[nodiscard]] __device__ std::int64_t at(int axis, int x) const {
    const int n = b.common.lattice.plane(axis, x);
    return b.graph.d_first_in_plane[n + 1] - b.graph.d_first_in_plane[n] -
           2 * std::int64_t{planes[std::int64_t{n} * lanes]};
  }
  [[nodiscard]] __device__ long long total() const {
    long long sum = 0;
    for (int x = 0; x < b.common.lattice.length(0); ++x) sum += at(0, x);
    return sum;
  }
  [[nodiscard]] __device__ bool has(int axis) const { return b.common.lattice.length(axis) == L; }
};

/// What a field gives in the lanes of a word: its sum over the sites, and |m(k_min)|^2 along each axis.
constexpr int most_axes = 4;
struct FieldSums {
  long long total[32];
  double square[most_axes][32];

  /// The mean over the longest axes.
  template <class Planes>
  [[nodiscard]] __device__ double mode(const Planes& planes, int lane) const {
    double sum = 0.0;
    int axes = 0;
    for (int axis = 0; axis < planes.dim; ++axis) {
      if (!planes.has(axis)) continue;
      sum += square[axis][lane];
      ++axes;
    }
    return sum / axes;
  }
};

}}  // namespace glassworks::cuda

#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/small_divisor.hpp"

namespace glassworks { inline namespace cuda {

/// The sites of a hypercubic lattice as bits: words of up to 32 sites that follow each other in a row along x.
struct RowWords {
  int dim = 0;
  std::uint32_t length = 0;        ///< sites of a row
  std::uint32_t words_of_row = 0;  ///< the last one of a row may be short
  std::uint32_t words = 0;         ///< of the lattice
  SmallDivisor row;                ///< by words_of_row
  SmallDivisor axis[3];            ///< by the length of an axis a > 0 [a - 1]
};

/// Isoenergetic moves on hypercubic lattices of two or more dimensions, one launch each; the bits are those of the two
/// stages of isoenergetic.hpp.
///
/// A block takes a pair of copies. Where they differ, and what the component of the chosen site has reached, are bits
/// in shared memory; a thread carries the component through a word along x, and from the words beside it along the
/// other axes, until no word changes.
class RowMoves {
 public:
  /// Whether a lattice has a form for which this is made, and its bits fit into shared memory.
  [[nodiscard]] static bool fit(const Lattice& lattice);
  /// Bytes on the device for one realization.
  [[nodiscard]] static double bytes(const Lattice& lattice);

  /// some_absent: whether there are bonds with J = 0, across which no component grows.
  void begin(const ClusterBatch& batch, bool some_absent, cudaStream_t stream);
  /// gains: whether energy_sum of the step, which has -E of all replicas, is kept up to date.
  void move(const ClusterBatch& batch, const UpdateNumber& number, bool gains, cudaStream_t stream) const;

 private:
  RowWords words_;
  bool some_absent_ = false;
  DeviceBuffer<std::uint32_t> present_;  ///< bonds with J != 0, of the sites of a word [task][axis][word]
};

}}  // namespace glassworks::cuda

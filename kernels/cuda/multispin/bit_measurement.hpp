#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/multispin/multispin_batch.hpp"
#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/cluster_observables.hpp"

namespace glassworks::inline cuda {

/// What the observables of Ising spins are made of beside sums: see ClusterMeasurement, whose bits they have.
struct IsingFormulas {
  ClusterObservables layout;
  double sites, bonds;
  const double* d_phase;       ///< cos, then sin of 2 pi x / L [2][L]
  const double* d_walk_phase;  ///< cos of pi j / slots [2 slots]
};

/// Sums of a measurement, by lane: a word stands at bit_sum_place.
struct MeasuredBits {
  std::uint16_t* d_planes;  ///< spins or products that are -1 [unit][field][axis][coordinate][lane]
  int* d_links;             ///< products of products that are -1 [unit][pair][lane]
};
/// Order of the 32 lanes of a word among their sums: the four of a byte follow each other.
[[nodiscard]] GLASSWORKS_HD constexpr int bit_sum_place(int lane) {
  return (lane & ~31) | (lane & 7) << 2 | (lane >> 3 & 3);
}

/// Measurements of a batch on the device. unit: pack * slots + slot; fields: the copies, then the pairs of copies
class BitMeasurement {
 public:
  BitMeasurement(const Chain& chain, const MultispinBatch& batch);
  /// Adds a measurement to the sums of the batch. sample: its number among those that are kept, or -1
  void launch(int sample, cudaStream_t stream);

  /// Whether sums over planes fit into their words.
  [[nodiscard]] static bool fits(const Lattice& lattice) { return lattice.rows() < (1 << 16); }
  [[nodiscard]] static double bytes_per_pack(const Chain& chain, int words);

 private:
  MultispinBatch batch_;
  IsingFormulas formulas_;
  MeasuredBits sums_{};
  int fields_, pairs_;
  DeviceBuffer<double> phase_, walk_phase_;
  DeviceBuffer<std::uint16_t> planes_;
  DeviceBuffer<int> links_;
};

}  // namespace glassworks::inline cuda

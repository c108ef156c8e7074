#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/device_buffer.hpp"
#include "kernels/cuda/multispin/multispin_batch.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cuda {

/// What the observables of Ising spins are made of beside sums: see ClusterFormulas, whose bits they have.
struct IsingFormulas {
  BinLayout layout;
  double sites, bonds;
  const double* d_phase;       ///< cos, then sin of 2 pi x / L [2][L]; of a graph L is its longest axis
  const double* d_walk_phase;  ///< cos of pi j / slots [2 slots]
};

/// Sums by lane, of one measurement and of a round.
struct MeasuredBits {
  std::uint16_t* d_planes;   ///< spins or products that are -1 [unit][field][axis][coordinate][lane]
  int* d_graph_planes;       ///< the same of a graph [unit][field][plane][lane]; the other one is null
  int* d_links;              ///< products of products that are -1; 0 between measurements [unit][pair][lane]
  double* d_bins;            ///< sums of the observables over the measurements [unit][observable][lane]
  std::uint32_t* d_heading;  ///< replicas that head up, and down [unit][2][lane]
};

/// The two copies of a field, which are one where it is a copy: the pairs (0,1), (0,2), ..., (1,2), ... follow them.
struct Field {
  int a, b;

  GLASSWORKS_HD Field(int field, int copies) : a(field), b(field) {
    if (field < copies) return;
    int pair = field - copies;
    for (a = 0; pair >= copies - 1 - a; ++a) pair -= copies - 1 - a;
    b = a + 1 + pair;
  }
};

/// Measurements of a batch on the device. unit: pack * slots + slot; fields: the copies, then the pairs of copies
class BitMeasurement {
 public:
  BitMeasurement(const Chain& chain, const MultispinBatch& batch);

  /// Empties the sums of a round.
  void begin_round(cudaStream_t stream);
  /// Adds a measurement to them. sample: its number among those that are kept, or -1
  void launch(const MultispinBatch& batch, int sample, cudaStream_t stream);
  /// Puts them where the batch has them [task][slot][observable].
  void end_round(const MultispinBatch& batch, cudaStream_t stream);

  [[nodiscard]] static double bytes_per_pack(const Chain& chain, int words);

 private:
  void launch_planes(const MultispinBatch& batch, cudaStream_t stream);
  void launch_links(const MultispinBatch& batch, cudaStream_t stream);

  IsingFormulas formulas_;
  MeasuredBits sums_{};
  int fields_, pairs_;
  std::size_t bins_, headings_;
  DeviceBuffer<double> phase_, walk_phase_, bin_;
  DeviceBuffer<std::uint16_t> planes_;
  DeviceBuffer<int> links_, graph_planes_;
  DeviceBuffer<std::uint32_t> heading_;
};

}}  // namespace glassworks::cuda

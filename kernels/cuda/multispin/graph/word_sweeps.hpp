#pragma once

#include "kernels/cuda/multispin/sweep_job.hpp"

/// Sweeps of multi-spin coding on a graph, behind the doors of sweep_job.hpp.
namespace glassworks { inline namespace cuda {

/// Compiled kernels; see word_sweeps.cuh.
struct GraphSweepKernels {
  using Resident = void (*)(MultispinBatch, SweepShape, StepPart);
  using Sweep = void (*)(MultispinBatch, std::uint64_t, int, int);
  using Sums = void (*)(MultispinBatch, int);
  Resident resident;  ///< null: not compiled
  Sweep sweep;        ///< of one colour, spins in the memory of the device; packs of four words
  Sums sums;          ///< unsatisfied bonds, and spins -1 in a field, after it
};
[[nodiscard]] GraphSweepKernels graph_sweep_kernels(MultispinRule rule, bool in_field, int words);

[[nodiscard]] SweepShape choose_graph_sweeps(const SweepKind& kind, int replicas, int groups);
void launch_graph_sweeps(const SweepKind& kind, const SweepShape& shape, MultispinBatch& batch, const StepPart& part,
                         cudaStream_t stream);

/// Shared memory of a block: chunks, thresholds, spins, sums, lanes that exchange, numbers of the
/// colours.
struct GraphBlockBytes {
  std::size_t chunks, thresholds, spins, sums, exchanged, colours;

  GLASSWORKS_HD GraphBlockBytes(const WordGraphSize& graph, int words, int places, bool in_field) {
    const auto n = static_cast<std::size_t>(places), w = static_cast<std::size_t>(words);
    chunks = sizeof(WordChunk) * static_cast<std::size_t>(graph.chunks);
    thresholds = (sizeof(BitThreshold) * n * static_cast<std::size_t>(graph.thresholds) + 15) / 16 * 16;
    spins = 4 * w * n * static_cast<std::size_t>(graph.sites);
    sums = 4 * 32 * w * n * (in_field ? 2 : 1);
    exchanged = 4 * w * n;
    colours = 4 * (2 * static_cast<std::size_t>(graph.colours) + 1);
  }
  [[nodiscard]] GLASSWORKS_HD std::size_t total() const {
    return chunks + thresholds + spins + sums + exchanged + colours;
  }
};

}}  // namespace glassworks::cuda

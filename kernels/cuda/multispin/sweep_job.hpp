#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/cuda/multispin/multispin_batch.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cuda {

/// Which of the compiled kernels.
struct SweepForm {
  int words = 4;                    ///< of a pack
  int together = 1;                 ///< replicas for which couplings are loaded once
  bool couplings_in_block = false;  ///< in shared memory

  bool operator==(const SweepForm&) const = default;
};

/// Most threads of a block, each with 128 registers: fewer make the compiler keep numbers in memory.
constexpr int most_sweep_threads = 512;
/// The same of a ladder in packs of one or two words, where 96 registers do.
constexpr int most_narrow_threads = 640;
/// Sites of a replica that a thread exchanges with another block.
constexpr int most_sites_at_edge = 4;

/// How the replicas of a batch are given to thread blocks.
struct SweepShape {
  SweepForm form;
  int places = 0;   ///< replicas in the shared memory of a block; 0: spins stay in the memory of the device
  int walkers = 0;  ///< threads that share a replica, a quad each at a time
  int groups = 1;   ///< of walkers in a block, each for places / groups replicas
  int threads = 0;  ///< of a block
  int blocks_per_multiprocessor = 1;
  /// Blocks (of a cluster) that hold the ladder of a copy for all steps between two measurements; 0: blocks hold any
  /// places of a pack for a step.
  int blocks_of_ladder = 0;
  int counted = 1;        ///< quads of a replica whose bonds a thread counts together
  std::size_t bytes = 0;  ///< shared memory

  [[nodiscard]] std::string description() const;
};

/// What a chain needs compiled.
struct SweepKind {
  Lattice lattice;
  bool diluted;  ///< bonds are absent, and not past open ends alone
  MultispinRule rule;
  bool in_field = false;
  bool open_ends = false;     ///< bonds are absent past open ends, and nowhere else
  WordGraphSize graph{};      ///< of LatticeKind::graph
  bool in_memory = false;     ///< of a graph: tests have its spins in the memory of the device
  int words = 0;              ///< tests prescribe those of a pack
  int blocks_of_ladder = -1;  ///< and those of a ladder

  /// Of a hypercubic lattice, of a parity of m and a spin.
  [[nodiscard]] int thresholds() const { return deciding_thresholds(rule, 2 * lattice.dim, diluted, in_field); }
  /// Of all of them.
  [[nodiscard]] int thresholds_of_slot() const { return (open_ends ? 2 : 1) * (in_field ? 2 : 1) * thresholds(); }
};

/// What the choice of a shape needs to know of a batch.
struct SweepLoad {
  int copies, slots;
  int groups;            ///< of 128 realizations
  int sweeps = 1;        ///< of a step
  bool ladders = false;  ///< whether nothing but sweeps and even-odd exchanges comes between two measurements
};
/// The fastest shape that fits. On the current device.
[[nodiscard]] SweepShape choose_shape(const SweepKind& kind, const SweepLoad& load);
/// Before the first launch_sweeps.
void prepare_sweeps(const SweepKind& kind, const SweepShape& shape);

/// Part of a step of all replicas.
struct StepPart {
  std::uint64_t step = 0;  ///< of the round
  int begin = 0, end = 0;  ///< of the n_T n_B sweeps of the step
  bool exchange = false;   ///< the even-odd exchanges of the step before come first; only if shape.places > 0
  bool energies = true;    ///< are counted at the end

  [[nodiscard]] GLASSWORKS_HD bool moves_spins() const { return exchange || begin < end; }
};
/// All of some steps, the exchanges after the last one too, where shape.blocks_of_ladder > 0.
void launch_ladders(const SweepKind& kind, const SweepShape& shape, const MultispinBatch& batch, std::uint64_t step,
                    int steps, cudaStream_t stream);
/// What the batch holds is then the state after it.
void launch_sweeps(const SweepKind& kind, const SweepShape& shape, MultispinBatch& batch, const StepPart& part,
                   cudaStream_t stream);

// What follows is of hypercubic lattices; graph/word_sweeps.hpp is of graphs.

/// Quads whose bonds a warp counts where spins stay in the memory of the device.
[[nodiscard]] constexpr int bond_quads(int dim) { return 32 * (1023 / (8 * dim)); }

/// Most sites whose spins -1 a warp counts at a time.
constexpr int down_bits = 6, most_down_sites = 32 * ((1 << down_bits) - 4);

/// Compiled kernels; see multispin_sweeps.cuh.
struct SweepKernels {
  using Resident = void (*)(MultispinBatch, SweepShape, StepPart);
  using Ladder = void (*)(MultispinBatch, SweepShape, std::uint64_t, int);
  using HalfSweep = void (*)(MultispinBatch, std::uint64_t, int);
  using Bonds = void (*)(MultispinBatch);
  Resident resident;     ///< null: not compiled
  Ladder ladder;         ///< the same
  HalfSweep half_sweep;  ///< spins in the memory of the device, packs of four words
  Bonds bonds;           ///< unsatisfied bonds after it
  Bonds down;            ///< spins -1 after it; null: without a field
};
/// Those of a form.
[[nodiscard]] SweepKernels sweep_kernels_for(const SweepKind& kind, const SweepForm& form);
/// Those of one dimension.
template <int dim>
[[nodiscard]] SweepKernels sweep_kernels(const SweepKind& kind, const SweepForm& form);
/// Those in a field, and those with open ends and without a field.
template <int dim>
[[nodiscard]] SweepKernels sweep_kernels_in_field(const SweepKind& kind, const SweepForm& form);
template <int dim>
[[nodiscard]] SweepKernels sweep_kernels_with_ends(const SweepKind& kind, const SweepForm& form);

template <>
SweepKernels sweep_kernels<2>(const SweepKind&, const SweepForm&);
template <>
SweepKernels sweep_kernels<3>(const SweepKind&, const SweepForm&);
template <>
SweepKernels sweep_kernels<4>(const SweepKind&, const SweepForm&);

extern template SweepKernels sweep_kernels_in_field<2>(const SweepKind&, const SweepForm&);
extern template SweepKernels sweep_kernels_in_field<3>(const SweepKind&, const SweepForm&);
extern template SweepKernels sweep_kernels_in_field<4>(const SweepKind&, const SweepForm&);
extern template SweepKernels sweep_kernels_with_ends<2>(const SweepKind&, const SweepForm&);
extern template SweepKernels sweep_kernels_with_ends<3>(const SweepKind&, const SweepForm&);
extern template SweepKernels sweep_kernels_with_ends<4>(const SweepKind&, const SweepForm&);

}}  // namespace glassworks::cuda

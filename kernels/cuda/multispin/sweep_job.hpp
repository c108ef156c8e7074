#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/cuda/multispin/multispin_batch.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks::inline cuda {

/// How the replicas of a batch are given to thread blocks.
struct SweepShape {
  int words = 4;     ///< of a pack
  int together = 1;  ///< replicas for which couplings are loaded once
  int places = 0;    ///< replicas in the shared memory of a block; 0: spins stay in the memory of the device
  int walkers = 0;   ///< threads that share a replica, a quad each at a time
  int threads = 0;   ///< of a block: groups of walkers, each for places / groups replicas
  int blocks_per_multiprocessor = 1;
  bool couplings_in_block = false;
  std::size_t bytes = 0;  ///< shared memory

  [[nodiscard]] std::string description() const;
};

/// What a chain needs compiled.
struct SweepKind {
  int dim;
  bool diluted;
  MultispinRule rule;
};

/// The fastest shape that fits, for batches of so many groups of 128 realizations. On the current device.
[[nodiscard]] SweepShape choose_shape(const HalfLattice& lattice, const SweepKind& kind, int thresholds, int replicas,
                                      int groups);

/// Before the first launch_sweeps.
void prepare_sweeps(const SweepKind& kind, const SweepShape& shape);

/// One step of all replicas: its n_T n_B sweeps and the energies after them. step: of the round
void launch_sweeps(const SweepKind& kind, const SweepShape& shape, const MultispinBatch& batch, std::uint64_t step,
                   cudaStream_t stream);

/// Quads whose bonds a warp counts where spins stay in the memory of the device.
[[nodiscard]] constexpr int bond_quads(int dim) { return 32 * (1023 / (8 * dim)); }

/// Kernels of one dimension; see multispin_sweeps.cuh.
struct SweepKernels {
  using Resident = void (*)(MultispinBatch, SweepShape, std::uint64_t);
  using HalfSweep = void (*)(MultispinBatch, std::uint64_t, int);
  using Bonds = void (*)(MultispinBatch);
  Resident resident;     ///< null: not compiled
  HalfSweep half_sweep;  ///< spins in the memory of the device, packs of four words
  Bonds bonds;           ///< unsatisfied bonds after it
};
template <int dim>
[[nodiscard]] SweepKernels sweep_kernels(bool diluted, MultispinRule rule, int words, int together);

extern template SweepKernels sweep_kernels<2>(bool, MultispinRule, int, int);
extern template SweepKernels sweep_kernels<3>(bool, MultispinRule, int, int);
extern template SweepKernels sweep_kernels<4>(bool, MultispinRule, int, int);

}  // namespace glassworks::inline cuda

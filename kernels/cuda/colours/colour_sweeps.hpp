#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/colours/colour_order.hpp"
#include "kernels/cuda/colours/colour_plan.hpp"
#include "kernels/cuda/small_divisor.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace cuda {

/// The passes over the sites of one colour. energies changes nothing: it adds up -E.
enum class ColourPass { heat_bath, metropolis, over_relaxation, energies };

/// One of them, for all replicas of a batch. Those of a realization are shared out to `runs` runs; a thread goes
/// through the replicas of a run, for which it loads its couplings once.
struct ColourLaunch {
  float* d_spins;                 ///< [replica of the batch], each in its ColourOrder
  SmallDivisor x, y, z;           ///< cells of a box
  SmallDivisor boxes_x, boxes_z;  ///< of the lattice
  SmallDivisor runs;
  unsigned first = 0, end = 0;  ///< runs of all tasks, numbered through, that are swept
  int colour;
  bool late;         ///< spins of colour 0 are to be brought to length 1 when they are read
  bool renormalize;  ///< the new spins are brought to length 1
  bool of_bonds;     ///< energies: sums over bonds (VectorChain::energy_of_bonds)
  std::uint64_t step;
};

/// Blocks of a grid along z: runs, or as many as one launch has room for.
constexpr unsigned most_of_grid = 65535;

template <int n>
void launch_colour_pass(ColourPass pass, const ClusterBatch& batch, const ColourLaunch& launch,
                        const UpdateNumber& sweep, cudaStream_t stream);
extern template void launch_colour_pass<2>(ColourPass, const ClusterBatch&, const ColourLaunch&, const UpdateNumber&,
                                           cudaStream_t);
extern template void launch_colour_pass<3>(ColourPass, const ClusterBatch&, const ColourLaunch&, const UpdateNumber&,
                                           cudaStream_t);
extern template void launch_colour_pass<4>(ColourPass, const ClusterBatch&, const ColourLaunch&, const UpdateNumber&,
                                           cudaStream_t);

/// The sweeps of a round by half-sweeps of one colour, on copies of the spins that are ordered by colour. A part of the
/// replicas makes all sweeps of a step before the next part, if its spins then stay in the cache. Where a chain
/// brings its spins to length 1 after each step, those of colour 1 are when their last update stores them; those of
/// colour 0, which that update has yet to read as they are, when somebody reads them next.
class ColourSweeps {
 public:
  /// d_by_colour: colour_order_size for each replica
  ColourSweeps(const ColourPlan& plan, const ClusterBatch& batch, const Step& moves, float* d_by_colour,
               cudaStream_t stream);

  /// All sweeps of step `step` of the round.
  void sweeps(std::uint64_t step);
  /// Adds -E of every replica to energy_sum(step), which must be zero.
  void energies(std::uint64_t step);
  /// Brings the spins of the batch up to date.
  void finish();

 private:
  /// Of the runs first .. end - 1 of the launch.
  void sweeps_of_runs(std::uint64_t step);
  void pass(ColourPass which, int colour, bool last, std::uint64_t step, const UpdateNumber& sweep);

  const ClusterBatch& batch_;
  const Step& moves_;
  cudaStream_t stream_;
  ColourLaunch launch_{};
  std::int64_t runs_ = 0, together_ = 0;  ///< of the batch; see ColourRuns
  bool renormalizes_;
  bool ahead_ = false;  ///< the ordered copies have made steps that the spins of the batch have not
  bool late_ = false;   ///< spins of colour 0 are to be brought to length 1
};

}}  // namespace glassworks::cuda

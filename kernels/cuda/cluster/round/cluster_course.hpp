#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <span>

#include "kernels/cuda/absent_sites.hpp"
#include "kernels/cuda/cluster/round/cluster_batch.hpp"
#include "kernels/cuda/cluster/round/cluster_form.hpp"
#include "kernels/cuda/cluster/round/decomposition.hpp"
#include "kernels/cuda/cluster/round/growth_choice.hpp"
#include "kernels/cuda/cluster/round/row_moves.hpp"
#include "kernels/cuda/cluster/round/sweeps_between_moves.hpp"
#include "kernels/cuda/cluster/round/tiled_updates.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/colours/colour_sweeps.hpp"
#include "kernels/cuda/cuda_plan.hpp"
#include "kernels/cuda/graph/device_graph_clusters.hpp"
#include "kernels/cuda/graph/graph_sweeps.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace cuda {

/// Memory and kernels that the steps of a round use.
struct ClusterTools {
  TileLabelling& labelling;
  Decomposition& decomposition;
  TiledUpdates* tiled;      ///< null: plain kernels only
  const CudaPlan& plan;     ///< of sweeps of single vectors
  float* d_couplings;       ///< in the order of the plan, to be filled; null where it arranges nothing
  float* d_arranged_spins;  ///< for the kernels of the plan, to be filled; null where it arranges nothing
  int* d_last_replica_at;   ///< replica in a slot during the last step [task][copy][slot]
  long long* d_results;     ///< see ResultLayout
  const ClusterForm& form;
  GraphSweeps* graph_sweeps;            ///< null: none
  DeviceGraphClusters* graph_clusters;  ///< null where the lattice is no graph
  GrowthChoice* growth;                 ///< null: clusters are labelled
  SweepsBetweenMoves* sweeps;           ///< null: by the kernels of the plan, or plain ones
  const RowMoves* row_moves;            ///< null: moves between copies label their lattices
  StagedCopy& staged;
};

/// Starts the steps and measurements of one round in the order that kernels/models/README.md defines.
class ClusterCourse {
 public:
  ClusterCourse(const Chain& chain, const ClusterBatch& batch, const ClusterTools& tools, cudaStream_t stream);

  /// Whether all steps before a measurement are started at once.
  [[nodiscard]] bool has_whole_steps() const { return tools_.plan.arranges() && !tools_.plan.sweeps_alone; }
  /// Steps first .. first + count - 1 of the round, where they are.
  void whole_steps(std::uint64_t first, int count);
  /// Step number `step` of the round. observe: the one before a measurement; it waits for the device.
  void step(std::uint64_t step, bool observe);
  /// The same for steps that no measurement follows, from `first` on: one, or up to `most` where they are one launch.
  /// Returns their number.
  int steps(std::uint64_t first, int most);
  /// As states have them; whatever sweeps made of them. Measurements do so themselves.
  void empty_absent_sites() { clear_absent(batch_.common, stream_); }
  /// Measurement m of the round, whose observables are added to those of the round.
  void measure(int m);

 private:
  /// On graphs by kernels of their own.
  void graph_step(std::uint64_t step, bool observe);
  /// By the general kernels.
  void moves_of_replicas(std::span<const PlacedMove> moves, std::uint64_t step, int t, bool observe);
  void cluster_updates(const PlacedMove& move, std::uint64_t step, int t, bool observe);
  void cluster_update(const ClusterBatch& batch, const UpdateNumber& update, bool decompose, bool count);
  /// Updates first .. first + count - 1 of a step where clusters may grow.
  void single_clusters(std::uint64_t step, int first, int count, bool observe);
  /// After the moves of a step.
  void energies(std::uint64_t step);
  void isoenergetic_moves(std::span<const PlacedMove> moves, std::uint64_t step, int t);
  /// Of moves of this kind, by their numbers in the step.
  [[nodiscard]] UpdateNumber number_of(MoveKind kind, std::uint64_t step, std::uint64_t in_step) const;
  void label(int systems);
  /// The replicas in the slots during a step whose clusters are measured.
  void keep_slots();

  const Chain& chain_;
  const ClusterBatch& batch_;
  ClusterTools tools_;
  cudaStream_t stream_;
  ResultLayout layout_;
  const Step moves_;
  std::optional<ColourSweeps> colours_;
  bool has_single_clusters_only_ = false;   ///< that grow, and nothing else happens in steps without a measurement
  bool keeps_energies_ = false;             ///< from step to step, by differences, where clusters grow
  bool energies_are_known_ = false;         ///< d_energy holds those of the states before the step
  bool step_has_energies_ = false;          ///< energy_sum of the step holds those of its sweeps, and moves change them
  GrownEnergy wanted_ = GrownEnergy::none;  ///< of the next clusters that grow
};

}}  // namespace glassworks::cuda

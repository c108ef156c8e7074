#pragma once

#include <optional>
#include <string>

#include "kernels/cuda/colours/colour_plan.hpp"
#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/cuda/graph/graph_plan.hpp"
#include "kernels/cuda/ladder.hpp"
#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/resident_order.hpp"
#include "kernels/cuda/tile.hpp"

namespace glassworks { inline namespace cuda {

/// Which kernels a chain gets on the current device.
struct CudaPlan {
  enum class Kind { ladder, resident, tile, colours, graph, plain };
  Kind kind = Kind::plain;
  LadderPlan ladder;
  ResidentPlan resident;
  TilePlan tile;
  ColourPlan colours;
  GraphPlan graph = {};
  /// Whether kernels for whole steps make the sweeps between moves of copies, and nothing else (sweeps_between_moves).
  bool sweeps_alone = false;

  /// Whether planes of spins are split and couplings arranged by thread for the time of a round.
  [[nodiscard]] bool arranges() const { return kind == Kind::ladder || kind == Kind::resident; }
  /// Whether two rounds of them, each of which fills the device, go faster at the same time than by turns: one starts
  /// where the other comes to its end. Clusters of blocks find no room between blocks of another kernel.
  [[nodiscard]] bool runs_beside_others() const {
    return kind == Kind::ladder || (kind == Kind::resident && resident.variant->blocks == 1);
  }
  /// Of those kernels.
  [[nodiscard]] CouplingOrder coupling_order() const;
  [[nodiscard]] SpinLayout spin_layout() const;
  /// For people: kernel, blocks and registers.
  [[nodiscard]] std::string description() const;
};

/// Of steps that are heat-bath sweeps of Ising spins, together in one place of each repetition, and moves between
/// copies: the sweeps as a chain of their own, whose steps are one repetition and have no exchanges. Nothing for other
/// chains.
[[nodiscard]] std::optional<Chain> sweeps_between_moves(const Chain& chain);

/// Starts whole steps of the round with the ladder or the resident kernel: first_step .. first_step + steps - 1.
///
/// share  of the multiprocessors, 0 ... 1, that a resident kernel uses; ladders use what is free
void launch_whole_steps(const CudaPlan& plan, const DeviceBatch& batch, std::uint64_t first_step, int steps,
                        cudaStream_t stream, double share = 1.0);

/// The fastest kernels that can run the chain, among those that `choices` leaves. Of models other than heisenberg only
/// those of single vectors have other kernels than plain ones here.
[[nodiscard]] CudaPlan choose_cuda_plan(const Chain& chain, bool with_fields, const CudaChoices& choices);

}}  // namespace glassworks::cuda

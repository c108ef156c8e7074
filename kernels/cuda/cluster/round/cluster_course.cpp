#include "kernels/cuda/cluster/round/cluster_course.hpp"

#include <algorithm>

#include "kernels/cuda/cluster/round/cluster_update.hpp"
#include "kernels/cuda/cluster/round/device_site_updates.hpp"
#include "kernels/cuda/cluster/round/device_triangle_sums.hpp"
#include "kernels/cuda/cluster/round/isoenergetic.hpp"
#include "kernels/cuda/cluster/round/local_updates.hpp"
#include "kernels/cuda/cluster/round/plane_sums.hpp"
#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/graph/device_graph_sums.hpp"
#include "kernels/cuda/step_end.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/round_record.hpp"

namespace glassworks { inline namespace cuda {
namespace {

void clear(void* d_memory, std::size_t bytes, cudaStream_t stream) {
  check_cuda(cudaMemsetAsync(d_memory, 0, bytes, stream), "clearing memory");
}

}  // namespace

ClusterCourse::ClusterCourse(const Chain& chain, const ClusterBatch& batch, const ClusterTools& tools,
                             cudaStream_t stream)
    : chain_(chain), batch_(batch), tools_(tools), stream_(stream), layout_(batch), moves_(chain) {
  clear(tools_.d_results, layout_.total * sizeof(long long), stream_);
  clear(batch_.d_moved, layout_.systems * sizeof(unsigned long long), stream_);
  if (tools_.plan.kind == CudaPlan::Kind::colours) {
    colours_.emplace(tools_.plan.colours, batch_, moves_, tools_.d_arranged_spins, stream_);
  }
  if (has_whole_steps()) {
    DeviceBatch arranged = batch_.common;
    arranged.d_arranged_couplings = tools_.d_couplings;
    arrange_couplings(tools_.plan.coupling_order(), arranged, stream_);
    if (chain_.model.is_discrete()) {
      split_states(batch_.common.d_states, tools_.d_arranged_spins, batch_.common, stream_);
    } else {
      arrange_spins(batch_.common.d_spins, tools_.d_arranged_spins, batch_.common, tools_.plan.spin_layout(), stream_);
    }
  }
  if (has_free_modulus(chain.model)) clear(batch_.d_too_large, layout_.systems * sizeof(int), stream_);
  if (tools_.tiled != nullptr) tools_.tiled->assign(batch_, stream_);
  has_single_clusters_only_ = tools_.growth != nullptr && chain_.model.is_discrete() &&
                              !exchanges_move_replicas(chain_) && moves_.moves().size() == 1;
  // Unit vectors are brought back to length 1 in every step, which changes their energies a little.
  keeps_energies_ = tools_.growth != nullptr && chain_.model.is_discrete() && exchanges_move_replicas(chain_) &&
                    moves_.sweeps() == 0 && moves_.count(MoveKind::isoenergetic) == 0;
}

void ClusterCourse::whole_steps(std::uint64_t first, int count) {
  DeviceBatch arranged = batch_.common;
  arranged.d_arranged_couplings = tools_.d_couplings;
  arranged.d_spins = tools_.d_arranged_spins;
  launch_whole_steps(tools_.plan, arranged, first, count, stream_);
  if (chain_.model.is_discrete()) {
    join_states(tools_.d_arranged_spins, batch_.common.d_states, batch_.common, stream_);
  } else {
    restore_spins(tools_.d_arranged_spins, batch_.common.d_spins, batch_.common, tools_.plan.spin_layout(), stream_);
  }
  keep_slots();
}

void ClusterCourse::keep_slots() {
  check_cuda(cudaMemcpyAsync(tools_.d_last_replica_at, batch_.common.d_replica_at, layout_.systems * sizeof(int),
                             cudaMemcpyDeviceToDevice, stream_),
             "copying slots");
}

void ClusterCourse::step(std::uint64_t step, bool observe) {
  if (observe) clear(batch_.d_moved, layout_.systems * sizeof(unsigned long long), stream_);
  if (observe && batch_.d_accepted != nullptr) {
    clear(batch_.d_accepted, layout_.systems * sizeof(unsigned long long), stream_);
  }
  if (tools_.graph_sweeps != nullptr) return graph_step(step, observe);
  const bool exchanges = exchanges_move_replicas(chain_);
  const bool wants_energies = (exchanges || observe) && tools_.row_moves != nullptr && !batch_.has_fields();
  step_has_energies_ = false;
  if (tools_.growth != nullptr) tools_.growth->begin_step(tools_.staged, stream_);
  wanted_ = keeps_energies_ && energies_are_known_ ? GrownEnergy::complete : GrownEnergy::none;
  if (tools_.growth != nullptr && moves_.moves().size() == 1) {
    single_clusters(step, 0, moves_.repetitions() * moves_.count(MoveKind::cluster), observe);
  } else if (colours_) {
    colours_->sweeps(step);
  } else if (tools_.plan.kind == CudaPlan::Kind::tile) {
    launch_tile_sweeps(tools_.plan.tile, batch_.common, step, stream_);
  } else {
    for (int t = 0; t < moves_.repetitions(); ++t) {
      moves_.for_each_run([&](const MoveRun& run) {
        if (run.between_copies) {
          isoenergetic_moves(run.moves, step, t);
        } else if (tools_.sweeps != nullptr) {
          step_has_energies_ = t + 1 == moves_.repetitions() && wants_energies;
          tools_.sweeps->run(batch_, step, t, step_has_energies_, stream_);
        } else {
          moves_of_replicas(run.moves, step, t, observe);
        }
      });
    }
  }
  if (tools_.growth != nullptr) tools_.growth->end_step(stream_);
  if (!colours_) launch_unit_vectors(batch_, stream_);
  if (!exchanges && !observe) return;
  energies(step);
  if (observe && colours_) colours_->finish();
  if (observe) keep_slots();
  if (observe && batch_.d_reserve != nullptr) launch_reserve_sums(batch_, stream_);
  launch_exchange(batch_.common, step, stream_);
  if (exchanges && tools_.tiled != nullptr) tools_.tiled->assign(batch_, stream_);
}

int ClusterCourse::steps(std::uint64_t first, int most) {
  if (!has_single_clusters_only_) {
    step(first, false);
    return 1;
  }
  tools_.growth->begin_step(tools_.staged, stream_);
  const int of_step = moves_.repetitions() * moves_.count(MoveKind::cluster);
  const int count = std::clamp(tools_.growth->updates_at_once() / of_step, 1, most);
  single_clusters(first, 0, count * of_step, false);
  tools_.growth->end_step(stream_);
  return count;
}

void ClusterCourse::energies(std::uint64_t step) {
  if (colours_) return colours_->energies(step);
  if (step_has_energies_) return;
  // Where clusters grew, the energies are there already.
  const bool known = keeps_energies_ && energies_are_known_;
  const ClusterBatch batch = known ? tools_.growth->labelled(batch_) : batch_;
  if (batch.launched() > 0) launch_cluster_energies(batch, step, stream_);
  energies_are_known_ = true;
}

void ClusterCourse::graph_step(std::uint64_t step, bool observe) {
  const bool exchanges = exchanges_move_replicas(chain_);
  tools_.graph_sweeps->step(batch_, step, exchanges || observe, stream_);
  if (observe) tools_.graph_sweeps->finish(batch_, stream_);
  if (!exchanges && !observe) return;
  if (observe) keep_slots();
  launch_exchange(batch_.common, step, stream_);
}

void ClusterCourse::moves_of_replicas(std::span<const PlacedMove> moves, std::uint64_t step, int t, bool observe) {
  const auto is_cluster = [](const PlacedMove& move) { return move.kind() == MoveKind::cluster; };
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    end = begin + 1;
    if (is_cluster(moves[begin])) {
      cluster_updates(moves[begin], step, t, observe);
      continue;
    }
    while (end < moves.size() && !is_cluster(moves[end])) ++end;
    launch_single_spins(batch_, moves_, moves.subspan(begin, end - begin), step, t, stream_);
  }
}

UpdateNumber ClusterCourse::number_of(MoveKind kind, std::uint64_t step, std::uint64_t in_step) const {
  return {step, static_cast<std::uint64_t>(moves_.repetitions()) * static_cast<std::uint64_t>(moves_.count(kind)),
          in_step};
}

void ClusterCourse::cluster_updates(const PlacedMove& move, std::uint64_t step, int t, bool observe) {
  const std::span<const PlacedMove> alone(&move, 1);
  if (!observe && tools_.tiled != nullptr) {
    const auto first = static_cast<std::uint64_t>(t * moves_.count(MoveKind::cluster) + move.first);
    tools_.tiled->run(batch_, chain_.key, number_of(MoveKind::cluster, step, first), move.count, stream_);
    return;
  }
  if (tools_.growth != nullptr) {
    return single_clusters(step, t * moves_.count(MoveKind::cluster) + move.first, move.count, observe);
  }
  const bool decomposes = observe && move.rule == MoveRule::swendsen_wang && t + 1 == moves_.repetitions();
  moves_.for_each(alone, static_cast<std::uint64_t>(t), [&](const NumberedMove& update) {
    cluster_update(batch_, number_of(MoveKind::cluster, step, update.number), decomposes && update.last, observe);
  });
}

void ClusterCourse::single_clusters(std::uint64_t step, int first, int count, bool observe) {
  const auto number = [&](int i) {
    return number_of(MoveKind::cluster, step, static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i));
  };
  GrowthChoice& growth = *tools_.growth;
  grow_clusters(growth.grown(batch_), {number(0), count, observe, wanted_}, growth.memory(), growth.threads(), stream_);
  if (wanted_ == GrownEnergy::complete) wanted_ = GrownEnergy::change;
  const ClusterBatch labelled = growth.labelled(batch_);
  if (labelled.launched() == 0) return;
  for (int i = 0; i < count; ++i) cluster_update(labelled, number(i), false, observe);
}

void ClusterCourse::cluster_update(const ClusterBatch& batch, const UpdateNumber& update, bool decompose, bool count) {
  activate_bonds(batch, update, stream_);
  auto* const sums = reinterpret_cast<DeviceClusterSums*>(tools_.d_results + layout_.clusters);
  if (decompose && tools_.graph_clusters != nullptr) {
    label(batch_.systems());
    tools_.graph_clusters->measure(batch_, sums, stream_);
  } else if (decompose) {
    tools_.decomposition.measure(
        batch_, [this] { label(batch_.systems()); }, sums, stream_);
  } else {
    label(batch.launched());
  }
  choose_fates(batch, update, stream_);
  move_clusters(batch, count, stream_);
}

void ClusterCourse::isoenergetic_moves(std::span<const PlacedMove> moves, std::uint64_t step, int t) {
  empty_absent_sites();  // else they would count as sites that differ
  moves_.for_each(moves, static_cast<std::uint64_t>(t), [&](const NumberedMove& move) {
    const UpdateNumber number = number_of(MoveKind::isoenergetic, step, move.number);
    if (tools_.row_moves != nullptr) return tools_.row_moves->move(batch_, number, step_has_energies_, stream_);
    join_differing_sites(batch_, number, stream_);
    label(batch_.swapping_pairs());
    swap_one_component(batch_, number, stream_);
  });
}

void ClusterCourse::label(int systems) {
  tools_.labelling.enqueue_systems(batch_.d_bonds, static_cast<unsigned>(systems), batch_.d_labels, stream_);
}

void ClusterCourse::measure(int m) {
  empty_absent_sites();
  long long* results = tools_.d_results;
  clear(results, layout_.clusters * sizeof(long long), stream_);
  const bool graph = chain_.lattice.is_graph();
  (graph ? launch_graph_site_planes : launch_site_planes)(batch_, results, stream_);
  if (has_free_modulus(chain_.model)) launch_modulus_sums(batch_, results + layout_.modulus, stream_);
  if (layout_.local_sums != 0) {
    (graph ? launch_graph_local_sums : launch_local_sums)(batch_, results + layout_.local, stream_);
  }
  if (batch_.d_triangles != nullptr) launch_triangle_squares(batch_, results + layout_.triangles, stream_);
  if (chain_.copies > 1) {
    (graph ? launch_graph_pair_planes : launch_pair_planes)(batch_, results + layout_.pair, stream_);
    if (batch_.d_triangles != nullptr) {
      launch_triangle_pairs(batch_, results + layout_.chiral, stream_);
    } else if (batch_.measures_chirality()) {
      launch_chiral_planes(batch_, results + layout_.chiral, stream_);
    }
    (graph ? launch_graph_link_sums : launch_link_sums)(batch_, results + layout_.link, stream_);
  }
  const bool sampled = is_sampled(m, chain_.measurements, chain_.samples);
  const int sample = sampled ? samples_before(m, chain_.measurements, chain_.samples) : -1;
  tools_.form.launch(batch_, results, tools_.d_last_replica_at, sample, stream_);
  const auto steps =
      (static_cast<std::uint64_t>(m) + 1) * static_cast<std::uint64_t>(chain_.protocol.exchanges_per_measurement);
  launch_adaptation(batch_, tools_.d_last_replica_at, steps, stream_);
}

}}  // namespace glassworks::cuda

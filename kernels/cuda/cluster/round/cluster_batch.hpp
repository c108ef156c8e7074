#pragma once

#include <cstdint>

#include "kernels/cuda/curand_words.hpp"
#include "kernels/cuda/device_batch.hpp"
#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"
#include "kernels/models/triangles.hpp"
#include "kernels/models/vector_chain.hpp"

namespace glassworks { inline namespace cuda {

/// The triangles of a realization.
struct TriangleList {
  const Triangle* triangles;
  const std::int32_t* planes;  ///< as Lattice::plane numbers them [triangle][axis]
  std::uint32_t count;
};

/// Thresholds of multi-spin coding on graphs (multispin_thresholds_in_field): those of the sites with so many bonds, of
/// all slots [table][slot][bonds of a site][bit of the spin][m].
struct GraphThresholds {
  const std::uint32_t* d_threshold;  ///< null: no multi-spin coding
  const std::uint32_t* d_first;      ///< of sites with so many bonds, in those of a slot [bonds]
  const int* d_table;                ///< of a realization [task]
  std::uint32_t of_slot;
};

/// Cubes of the hypercubic lattice, for which kernels by tiles are made; others take their bonds from bonds_of.
[[nodiscard]] GLASSWORKS_HD bool are_cubes(const Lattice& lattice) {
  return lattice.is_hypercubic() && lattice.is_cube();
}
/// The smallest L_a.
[[nodiscard]] GLASSWORKS_HD int shortest_axis(const Lattice& lattice) {
  int shortest = lattice.length(0);
  for (int axis = 1; axis < lattice.dim; ++axis) {
    shortest = lattice.length(axis) < shortest ? lattice.length(axis) : shortest;
  }
  return shortest;
}

/// What the general kernels, which know every model, see of a batch: plain values and device pointers, passed by value.
///
/// system  replica of the batch, task * replicas + replica of the task
/// unit    a slot of a task, task * slots + slot
/// pair    of the copies in a slot: (0,1), (0,2), ..., (1,2), ...
struct ClusterBatch {
  DeviceBatch common;
  SpinModel model;
  Stream local_stream;  ///< of local updates
  bool conserving;      ///< over-relaxation is all that moves the spins; see over_relax_conserving
  SumScales scales;
  exact::Phi4Weight phi4;
  float minus_factor;            ///< -2, of potts -1
  std::uint32_t flip_threshold;  ///< of p_flip
  LocalSelection local;          ///< what is measured beside the observables of the model
  std::uint32_t sites;           ///< N
  std::uint32_t plane_words;     ///< of bond b of all sites; of a graph of all bonds
  std::uint32_t fate_stride;     ///< of d_fate, a multiple of 128

  const std::uint8_t* d_uniform;     ///< whether all couplings have one modulus [task]
  const std::uint32_t* d_threshold;  ///< of an active bond where they have [task][slot]

  float* d_direction;       ///< r of the reflection [system][4]
  float* d_projection;      ///< r.s of the reflection [system][site]
  std::uint32_t* d_bonds;   ///< active bonds as bits [system][bond of a site][plane_words], of a graph
                            ///< [system][plane_words]
  std::uint32_t* d_labels;  ///< smallest site of the cluster [system][site]
  std::uint8_t* d_fate;  ///< of the cluster whose root is the site: 1 or 0 where clusters are reflected, see also Potts
                         ///< [system][fate_stride]
  unsigned long long* d_moved;  ///< sites moved since it was cleared [system]
  /// Of local updates that reject: accepted since it was cleared [system]; and whether a |phi| was too large [system].
  unsigned long long* d_accepted;
  long long* d_reserve;  ///< sums of reserves, where there are any [system]
  int* d_too_large;
  /// Slots whose replicas an update is for, and their number; null: all slots. Bonds, labels, fates, directions and
  /// projections are then those of system launched_system(i) at i.
  const int* d_chosen;
  int chosen;
  /// Sites of wolff and few_cluster moved, and updates, since it was cleared [slot][2]; null: not counted.
  unsigned long long* d_found;
  int swapping_slots;            ///< Chain::isoenergetic_slots
  std::uint32_t* d_seed_labels;  ///< of isoenergetic moves [task][slot][pair of the move]

  GraphThresholds multispin;

  const TriangleList* d_triangles;  ///< [task]; null where their chiralities are not measured
  std::uint32_t most_triangles;     ///< of a task

  [[nodiscard]] GLASSWORKS_HD int systems() const { return common.tasks * common.replicas(); }
  [[nodiscard]] GLASSWORKS_HD int units() const { return common.tasks * common.slots; }
  /// Pairs of replicas in an isoenergetic move.
  [[nodiscard]] GLASSWORKS_HD int swapping_pairs() const { return common.tasks * swapping_slots * (common.copies / 2); }
  [[nodiscard]] GLASSWORKS_HD int pairs() const { return common.copies * (common.copies - 1) / 2; }
  /// Whether the chiralities of pairs of copies are measured.
  [[nodiscard]] bool measures_chirality() const {
    return rounds::measures_chirality(local, common.lattice.dim, common.copies);
  }
  [[nodiscard]] GLASSWORKS_HD bool has_cubes() const { return are_cubes(common.lattice); }
  /// Sites of the largest boundary: of a cube L^(d-1).
  [[nodiscard]] GLASSWORKS_HD std::uint32_t face() const {
    return sites / static_cast<std::uint32_t>(shortest_axis(common.lattice));
  }
  /// Entries for the bonds across boundaries: of cubes [axis][face()], else [bond of a site][axis][face()], of which
  /// not all exist.
  [[nodiscard]] GLASSWORKS_HD std::uint32_t crossings() const {
    const auto bonds = static_cast<unsigned>(common.lattice.owned()), dim = static_cast<unsigned>(common.lattice.dim);
    return face() * (has_cubes() ? dim : bonds * dim);
  }
  [[nodiscard]] GLASSWORKS_HD std::size_t first_site(unsigned system) const {
    return static_cast<std::size_t>(system) * sites;
  }
  [[nodiscard]] GLASSWORKS_HD std::uint8_t* states_of(unsigned system) const {
    return common.d_states + first_site(system);
  }
  /// Components of a system: [component][site].
  [[nodiscard]] GLASSWORKS_HD float* spins_of(unsigned system) const {
    return common.d_spins + first_site(system) * static_cast<unsigned>(components_of(model));
  }
  /// The sites of a system, for a model M.
  template <class M>
  [[nodiscard]] GLASSWORKS_HD SiteArray<typename M::Site> sites_of(unsigned system) const {
    if constexpr (M::discrete) {
      return {states_of(system), nullptr, sites};
    } else {
      return {nullptr, common.d_spins + first_site(system) * static_cast<unsigned>(M::components), sites};
    }
  }
  [[nodiscard]] GLASSWORKS_HD int task_of(unsigned system) const {
    return static_cast<int>(system) / common.replicas();
  }
  /// J of a bond that a site owns; of the hypercubic lattice the bond along an axis.
  [[nodiscard]] GLASSWORKS_HD float coupling(int task, int axis, std::uint32_t site) const {
    if (common.d_couplings == nullptr) return common.coupling;
    return common.couplings_of(task)[static_cast<std::size_t>(axis) * sites + site];
  }
  [[nodiscard]] GLASSWORKS_HD bool has_fields() const { return common.d_fields != nullptr; }
  /// Site fields H of a task, of ising and on: [component][site].
  template <int n>
  [[nodiscard]] GLASSWORKS_HD SiteArray<exact::Vector<n>> fields_of(int task) const {
    const std::size_t first = static_cast<std::size_t>(task) * sites * n;
    return {nullptr, const_cast<float*>(common.d_fields) + first, sites};
  }
  /// Axes of the anisotropy of a task: [component][site].
  template <int n>
  [[nodiscard]] GLASSWORKS_HD SiteArray<exact::Vector<n>> axes_of(int task) const {
    return {nullptr, const_cast<float*>(common.axes_of(task)), sites};
  }
  [[nodiscard]] GLASSWORKS_HD bool has_axes() const { return common.d_axes != nullptr; }
  [[nodiscard]] GLASSWORKS_HD float beta_of(unsigned system) const { return common.d_beta[common.d_slot[system]]; }
  /// The replica of the batch in a slot.
  [[nodiscard]] GLASSWORKS_HD unsigned system_in(int unit, int copy) const {
    const int task = unit / common.slots, slot = unit % common.slots, first = task * common.replicas();
    return static_cast<unsigned>(first + common.d_replica_at[first + copy * common.slots + slot]);
  }
  /// Systems of an update.
  [[nodiscard]] GLASSWORKS_HD int launched() const {
    return d_chosen == nullptr ? systems() : common.tasks * common.copies * chosen;
  }
  [[nodiscard]] GLASSWORKS_HD unsigned launched_system(unsigned i) const {
    if (d_chosen == nullptr) return i;
    const int copy_of_task = static_cast<int>(i) / chosen, slot = d_chosen[static_cast<int>(i) % chosen];
    return system_in(copy_of_task / common.copies * common.slots + slot, copy_of_task % common.copies);
  }
  [[nodiscard]] GLASSWORKS_HD RandomBlock random(Stream stream, unsigned system, std::uint64_t number,
                                                 std::uint32_t index) const {
    const auto replica = system % static_cast<unsigned>(common.replicas());
    return random_block(CurandKey(common.key), stream, common.d_realization[task_of(system)], replica, number, index);
  }
};

/// The part that single-spin updates need.
[[nodiscard]] inline ClusterBatch batch_for_single_spins(const Chain& chain, const DeviceBatch& common) {
  ClusterBatch batch{};
  batch.common = common;
  batch.model = chain.model;
  batch.local_stream = vector_chain(chain.model).local_stream;
  batch.d_accepted = common.d_local_accepted;
  batch.conserving = chain.protocol.heatbath == 0 && !vector_chain(chain.model).renormalizes;
  batch.sites = static_cast<std::uint32_t>(chain.lattice.sites());
  return batch;
}

/// Number of an update of a kind of which there are `per_step` in a step: (first step + step) per_step + in_step.
struct UpdateNumber {
  std::uint64_t step;  ///< of the round
  std::uint64_t per_step, in_step;

  [[nodiscard]] GLASSWORKS_HD std::uint64_t of(const ClusterBatch& b, int task) const {
    return (b.common.d_first_step[task] + step) * per_step + in_step;
  }
};

}}  // namespace glassworks::cuda

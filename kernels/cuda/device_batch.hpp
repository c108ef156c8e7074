#pragma once

#include <cstdint>

#include "kernels/cuda/graph/device_graph.hpp"
#include "kernels/cuda/spin_order.hpp"
#include "kernels/models/formulas.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace cuda {

/// (number of exchanges done in this round) << 32 | bits of the new beta. 16 bytes: the only size of an asynchronous
/// copy that bypasses the L1 cache (cp.async.cg).
struct alignas(16) OrderWord {
  unsigned long long word, unused;
};

/// What the kernels see of a batch that is being simulated: plain values and device pointers, passed by value.
///
/// task       realization of the batch, 0 .. tasks - 1; all share lattice, ladder and protocol, not the step
/// replica    copy * slots + k inside a task
/// Global step of a task = first_step[task] + step of the round.
struct DeviceBatch {
  Lattice lattice;
  Protocol protocol;
  PhiloxRoundKeys key;
  int tasks = 0, copies = 0, slots = 0;
  int components = 3;           ///< of a spin
  bool discrete = false;        ///< whether sites hold a state and not a vector
  std::uint8_t absent = 0;      ///< state of absent sites
  int observables = 0;          ///< of one slot in a bin
  int samples = 0;              ///< of one slot in this round
  std::int64_t site_count = 0;  ///< N
  SpinOrder order;

  const float* d_beta;                                     ///< [slot]
  const exact::HeatBathTemperature<float>* d_temperature;  ///< [slot]
  const std::uint32_t* d_realization;                      ///< number of the realization [task]
  const std::uint64_t* d_first_step;                       ///< steps done before this round [task]
  const int* d_energy_exponent;                            ///< FixedScale of the energies [task]
  const float* d_couplings;                                ///< [task][axis][site]; null: all are `coupling`
  float coupling;                                          ///< never with heisenberg
  const DeviceGraph* d_graphs;                             ///< of LatticeKind::graph [task]; couplings: [task][bond]
  int graph_colours = 0;                                   ///< of all tasks, the largest number
  std::uint32_t graph_colour_sites = 0;                    ///< of the largest colour
  std::uint32_t graph_bonds = 0;                           ///< of two sites, of all tasks the largest number
  std::uint32_t graph_term_words = 0;                      ///< of DeviceGraph::site_terms, likewise
  float* d_arranged_couplings;                             ///< for the resident kernel: resident_order.hpp
  float* d_arranged_spins;                                 ///< for the kernels by colour: ColourOrder
  const float* d_fields;                                   ///< [task][component][site]; null: none
  const float* d_axes;                                     ///< [task][component][site]; null: no anisotropy
  float anisotropy;                                        ///< D
  const std::uint8_t* d_absent;                            ///< 1: no spin [task][site]; null: all sites have one

  float* d_spins;          ///< [task][replica][component][site], in the order of `order`
  float* d_spare_spins;    ///< as much memory: the spins before the round, in natural order
  std::uint8_t* d_states;  ///< of discrete models [task][replica][site]
  int* d_slot;             ///< [task][replica]
  int* d_replica_at;       ///< replica in a slot [task][copy][slot]
  int* d_heading;          ///< +1, -1, 0 [task][replica]
  std::uint32_t* d_trips;  ///< round trips since the start [task][replica]

  std::int64_t beside_count = 0, beside_widths = 0;  ///< BesideLayout of a task
  std::int64_t* d_beside;           ///< what the local update keeps beside the spins [task][beside_count]
  const std::uint64_t* d_proposed;  ///< local moves of a step in a replica [task]
  /// Where the accepted part is measured: moves accepted since it was cleared [task][replica]; replicas in the slots
  /// during the last step [task][copy][slot]. Else null.
  unsigned long long* d_local_accepted;
  int* d_last_replica_at;

  unsigned long long* d_energy_sum;  ///< -E in units of the energy scale, gathered by step parity [2][task][replica]
  long long* d_energy;               ///< E after the last step, in units of the energy scale [task][replica]

  unsigned long long* d_accepted;  ///< exchanges of this round, over all copies [task][pair of slots]
  std::uint32_t* d_round_trips;    ///< completed in this round [task][replica]
  std::uint32_t* d_walk_up;        ///< [task][slot]
  std::uint32_t* d_walk_down;      ///< [task][slot]
  double* d_walk_mean;             ///< sums of the walk functions over the measurements [task][replica][function]
  double* d_mean;                  ///< sums of the observables over the measurements [task][slot][observable]

  // Of the measurements that are sampled; null without samples.
  double* d_mean_before;   ///< d_mean before the measurement
  double* d_pair_overlap;  ///< four copies: Re A_ab(0) of the measurement [task][slot][pair]; else null
  float* d_samples;        ///< [task][slot][sample][quantity]

  // Of the resident kernel, where exchanges go on beside the sweeps of other replicas.
  unsigned long long* d_report;  ///< (step + 1) mod 2^16 << 48 | E mod 2^48, by step parity [2][task][replica]
  OrderWord* d_order;            ///< what each replica does next [task][replica]
  int* d_arrived;                ///< reports since the last exchange [task][copy]
  unsigned* d_tickets;           ///< work handed out in this launch

  [[nodiscard]] GLASSWORKS_HD int replicas() const { return copies * slots; }
  [[nodiscard]] GLASSWORKS_HD std::int64_t sites() const { return site_count; }
  [[nodiscard]] int colours() const { return lattice.is_graph() ? graph_colours : lattice.colours(); }
  /// J of a bond or a term of a graph.
  [[nodiscard]] GLASSWORKS_HD float coupling_of(int task, std::uint32_t bond) const {
    return d_couplings == nullptr ? coupling : couplings_of(task)[bond];
  }
  /// Spins of a replica: [component][site].
  [[nodiscard]] GLASSWORKS_HD float* spins_of(int task, int replica) const {
    return spins_of_replica(static_cast<std::int64_t>(task) * replicas() + replica);
  }
  /// replica: of the batch, task * replicas + replica of the task
  [[nodiscard]] GLASSWORKS_HD float* spins_of_replica(std::int64_t replica) const {
    return d_spins + replica * components * sites();
  }
  [[nodiscard]] GLASSWORKS_HD const float* couplings_of(int task) const {
    return d_couplings + static_cast<std::int64_t>(task) * lattice.bond_places();
  }
  [[nodiscard]] GLASSWORKS_HD const float* fields_of(int task) const {
    return d_fields + static_cast<std::int64_t>(task) * components * sites();
  }
  [[nodiscard]] GLASSWORKS_HD const float* axes_of(int task) const {
    return d_axes + static_cast<std::int64_t>(task) * components * sites();
  }
  [[nodiscard]] GLASSWORKS_HD std::int64_t* beside_of(int task) const { return d_beside + task * beside_count; }
  [[nodiscard]] GLASSWORKS_HD FixedScale energy_scale(int task) const { return {d_energy_exponent[task]}; }
  /// Where the energy of a replica after step `step` of the round is summed, or reported.
  [[nodiscard]] GLASSWORKS_HD unsigned long long* energy_sum(std::uint64_t step, int task, int replica) const {
    return d_energy_sum + of_step(step, task, replica);
  }
  [[nodiscard]] GLASSWORKS_HD unsigned long long* report(std::uint64_t step, int task, int replica) const {
    return d_report + of_step(step, task, replica);
  }

 private:
  [[nodiscard]] GLASSWORKS_HD std::int64_t of_step(std::uint64_t step, int task, int replica) const {
    return (static_cast<std::int64_t>(step & 1U) * tasks + task) * replicas() + replica;
  }
};

}}  // namespace glassworks::cuda

#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/core/fixed_point.hpp"
#include "kernels/core/lattice.hpp"
#include "kernels/core/random.hpp"
#include "kernels/core/site_graph.hpp"
#include "kernels/models/spin_model.hpp"
#include "kernels/rounds/moves.hpp"

namespace glassworks { inline namespace rounds {

/// What a campaign measures beside the observables of its model (round.observables): bit i stands for number i of the
/// local observables (models/local_observables.hpp), and the next bits for the overlap of the chiralities of two
/// copies, for |m(k)|^2 and |q(k)|^2 at k = 2 pi/L_a along each axis a by itself, for the terms of the
/// susceptibility in a field, and for the chirality of triangles. The last two are of heisenberg: the terms of the
/// chiral susceptibility in a field, and the chirality along each axis by itself.
using LocalSelection = std::uint32_t;
constexpr int local_observable_bits = 4;
constexpr LocalSelection signed_magnetization = LocalSelection{1} << (local_observable_bits - 1);
constexpr LocalSelection chiral_overlap = LocalSelection{1} << local_observable_bits;
constexpr LocalSelection axis_modes = chiral_overlap << 1;
constexpr LocalSelection field_response = axis_modes << 1;
constexpr LocalSelection triangle_chirality = field_response << 1;
constexpr LocalSelection chiral_response = triangle_chirality << 1;
constexpr LocalSelection chiral_axes = chiral_response << 1;

/// Number of local observables of a selection.
[[nodiscard]] constexpr int local_count(LocalSelection selection) {
  return std::popcount(selection & (chiral_overlap - 1));
}

/// Whether the terms of the susceptibility in a field are measured.
[[nodiscard]] constexpr bool measures_field_terms(LocalSelection selection, int copies) {
  return (selection & field_response) != 0 && copies == 4;
}

/// Whether the chiralities of pairs of copies are measured.
[[nodiscard]] constexpr bool measures_chirality(LocalSelection selection, int dim, int copies) {
  return (selection & chiral_overlap) != 0 && copies > 1 && dim > 1;
}

/// none: temperatures stay where they are, so that slots are independent chains; not for heisenberg.
enum class ExchangeSchedule { sequential, even_odd, none };

/// The Monte Carlo protocol of one step and one measurement; every entry is part of the chain.
///
/// One step: `sweeps_per_exchange` (n_T) times [ `overrelaxation` (n_M) over-relaxation sweeps, then `heatbath` (n_B)
/// heat-bath sweeps ], then one exchange. `exchanges_per_measurement` (n_A) steps lie between measurements.
struct Protocol {
  int overrelaxation = 10;
  int heatbath = 1;
  int sweeps_per_exchange = 1;
  int exchanges_per_measurement = 10;
  ExchangeSchedule exchange = ExchangeSchedule::even_odd;
  /// Edge of the tiles of the double-checkerboard schedule; 0: the whole lattice is one tile.
  int tile = 0;
  /// Times that a tile makes its sweeps before the next one: in each of the n_T repetitions the sweeps of a tile are
  /// `tile_repeats` times the n_M over-relaxation and n_B heat-bath sweeps. 1 without tiles.
  int tile_repeats = 1;

  /// From here on: models other than heisenberg. One step is then `sweeps_per_exchange` times [ `cluster_sweeps`
  /// cluster updates of `kind`, then `overrelaxation` sweeps (vectors), then `heatbath` local sweeps, then
  /// `isoenergetic` cluster moves between copies ], then one exchange.
  ProtocolKind kind = ProtocolKind::local;
  int cluster_sweeps = 0;
  int isoenergetic = 0;
  double isoenergetic_T_max = 0.0;  ///< highest temperature at which copies make these moves; 0: at all
  MultispinRule multispin = MultispinRule::off;
  MultispinLanes lanes = MultispinLanes::realizations;  ///< of multi-spin coding
  SiteRule local = SiteRule::heat_bath;                 ///< of the local sweeps, unless they are multi-spin coded
  /// Where proposals have a width: measurements since the start after each of which it is adapted; then it stays.
  int adaptation = 0;
  int seed_tile = 0;    ///< edge of the tiles of few_cluster
  double p_flip = 0.5;  ///< of few_cluster, in (0, 1)

  /// The moves of a repetition one by one; empty: the numbers above say them all. Else they are the totals of the list
  /// (set_moves), and one step is `sweeps_per_exchange` times this list, then one exchange.
  MoveList moves = {};

  bool operator==(const Protocol&) const = default;
};

/// What a history begins with. random: infinite temperature. ordered: all spins parallel (vectors: along the last
/// component; ising, blume-capel: up; potts: state 0), in all replicas alike. annealed: each copy cooled slowly from
/// random spins at the top of the ladder. stored: the spins of a state that is given. See
/// scheduler/histories/start.hpp.
enum class Start { random, ordered, annealed, stored };

struct Course;

/// Copies of a realization that can be the lanes of a word of multi-spin coding.
constexpr int max_copy_lanes = 512;

/// What all realizations of one lattice size share. Immutable.
struct Chain {
  SpinModel model;
  Lattice lattice;
  int copies = 2;           ///< R_O
  std::vector<float> beta;  ///< 1/T of each slot, T ascending, so beta descending [slot]
  Protocol protocol;
  int measurements = 1;  ///< of one round; 0: its n_A steps are not measured, as some pieces of a course
  PhiloxKey key;
  int samples = 0;           ///< measurements of a round that are also kept singly, 0 .. measurements; changes no state
  LocalSelection local = 0;  ///< what is measured beside the observables of the model; changes no state
  Start start = Start::random;
  PhiloxKey cooling_key = {};  ///< annealed: of the cooling
  /// A history in time instead of one to equilibrium (hold_batch); null: none.
  std::shared_ptr<const Course> course = {};

  [[nodiscard]] int slots() const { return static_cast<int>(beta.size()); }
  /// Slots, counted from the cold end, in which copies make isoenergetic moves.
  [[nodiscard]] int isoenergetic_slots() const {
    if (protocol.isoenergetic_T_max <= 0.0) return slots();
    const auto hottest = static_cast<float>(1.0 / protocol.isoenergetic_T_max);
    return static_cast<int>(std::ranges::count_if(beta, [&](float b) { return b >= hottest; }));
  }
  /// Place on the ladders of a replica that stands in a slot: copy * slots + slot.
  [[nodiscard]] std::size_t place_of(std::size_t replica, int slot) const {
    const auto of_copy = static_cast<std::size_t>(slots());
    return replica / of_copy * of_copy + static_cast<std::size_t>(slot);
  }
  /// Replicas of one realization; replica = copy * slots + k.
  [[nodiscard]] int replicas() const { return copies * slots(); }
  /// Sweeps of one of the `sweeps_per_exchange` repetitions of a step; a cluster update counts as one, whatever it
  /// moves.
  [[nodiscard]] int sweeps_per_repetition() const {
    return protocol.tile_repeats * (cluster_sweeps() + overrelaxation() + protocol.heatbath);
  }
  /// Cluster updates of a repetition.
  [[nodiscard]] int cluster_sweeps() const {
    return protocol.kind == ProtocolKind::local ? 0 : protocol.cluster_sweeps;
  }
  /// Whether the copies of a realization are the lanes of multi-spin coding.
  [[nodiscard]] bool has_copy_lanes() const {
    return protocol.multispin != MultispinRule::off && protocol.lanes == MultispinLanes::copies;
  }
  /// Whether a step consists of sweeps of over-relaxation and local updates of unit vectors (or Ising spins) alone.
  [[nodiscard]] bool has_vector_sweeps_only() const {
    return is_unit_vector(model) && protocol.kind == ProtocolKind::local && protocol.isoenergetic == 0 &&
           protocol.multispin == MultispinRule::off;
  }
  /// Over-relaxation sweeps of a repetition; discrete spins have none.
  [[nodiscard]] int overrelaxation() const { return model.is_discrete() ? 0 : protocol.overrelaxation; }
  /// Stretches of n_A steps in a round, each with a measurement at its end unless there are none.
  [[nodiscard]] int stretches() const { return measurements > 0 ? measurements : 1; }
  /// Spin updates of one round of one realization, and those of a stretch.
  [[nodiscard]] double updates_per_round() const { return stretches() * updates_per_stretch(); }
  [[nodiscard]] double updates_per_stretch() const {
    return static_cast<double>(protocol.exchanges_per_measurement) * protocol.sweeps_per_exchange *
           sweeps_per_repetition() * replicas() * static_cast<double>(lattice.sites());
  }
};

/// Quenched disorder of one realization.
struct Disorder {
  std::vector<float>
      couplings;              ///< J of the bonds that a site owns (Lattice): couplings[site][bond]; of a graph [bond]
  std::vector<float> fields;  ///< H: fields[site][component]; empty where there are none
  /// 1 where there is no spin, with J = 0 and H = 0 there [site]; empty: nowhere. With absent sites there are always
  /// fields, 0 if need be and never -0: local fields then begin with them, so that it makes no difference, not even to
  /// the sign of a local field of 0, whether a vector of length 0 or any spin stands at an absent site.
  std::vector<std::uint8_t> absent;
  std::vector<float> axes;  ///< n_i of length 1: axes[site][component]; empty where there is no anisotropy
  float anisotropy = 0.0F;  ///< D of the energy -D (n_i . s_i)^2 [J]
  FixedScale energy_scale;  ///< of the terms of the energy; see choose_energy_scale
  std::shared_ptr<const SiteGraph> graph = {};  ///< of LatticeKind::graph, else null

  [[nodiscard]] bool has_fields() const { return !fields.empty(); }
  [[nodiscard]] bool is_absent(std::int64_t site) const {
    return !absent.empty() && absent[static_cast<std::size_t>(site)] != 0;
  }
};

/// Largest n <= 24 with (sum over the bonds of a site of |J| + |H| + |of_site|) 2^n < 2^30 at every site; of_site: D of
/// the anisotropy, Delta of blume-capel.
[[nodiscard]] FixedScale choose_energy_scale(const Lattice& lattice, const std::vector<float>& couplings,
                                             const std::vector<float>& fields, double of_site = 0.0,
                                             const SiteGraph* graph = nullptr);

/// The spins of all replicas at a reference time t_w, with which later ones are compared: plain values, which can be
/// stored beside a state. Discrete spins take as few bits as their values need, those of ising one.
struct KeptSpins {
  std::uint64_t time = 0;
  std::vector<std::uint64_t> bits;  ///< of discrete models, from bit 0 of word 0 on, no value across two words
                                    ///< [replica][site]
  std::vector<float> spins;         ///< of vectors [replica][component][site]

  bool operator==(const KeptSpins&) const = default;
};

/// The whole state of a realization between two steps. A pure function of (configuration, seed, realization, steps).
struct ChainState {
  std::uint64_t steps = 0;                 ///< exchanges done
  std::vector<std::uint16_t> slot;         ///< temperature slot of a replica [replica]
  std::vector<std::int8_t> heading;        ///< end of the ladder visited last: +1 bottom, -1 top, 0 none [replica]
  std::vector<std::uint32_t> round_trips;  ///< completed T_1 -> T_max -> T_1 [replica]
  std::vector<float> spins;                ///< vectors [replica][component][site]; empty for discrete models
  std::vector<std::uint8_t> states;        ///< of discrete models, see value of each [replica][site]; empty for vectors
  std::vector<std::int64_t> beside;        ///< what the local update keeps beside the spins (BesideLayout)
  std::vector<KeptSpins> kept = {};        ///< of a course: its reference states so far

  bool operator==(const ChainState&) const = default;
};

/// Initial state: spins uniform on the sphere, or ordered, replica k of each copy in slot k. annealed, stored: with
/// random spins, which give way to those of the start.
[[nodiscard]] ChainState initial_state(const Chain& chain, std::uint32_t realization);
/// The same in parts, for several threads: what all replicas share, then the spins of each.
[[nodiscard]] ChainState state_without_spins(const Chain& chain);
void start_replica(const Chain& chain, std::uint32_t realization, std::size_t replica, ChainState& state);

/// Test functions of the temperature walk whose round means are recorded; x = (slot + 1/2) / slots, all of zero mean
/// over the ladder: 0: 2x - 1, 1: sign(2x - 1), 2: cos(2 pi x).
constexpr int walk_functions = 3;

/// What one round of one realization yields: the raw bin.
struct RoundRecord {
  int measurements = 0;
  std::vector<double> mean;                       ///< of each observable over the round [slot][observable]
  std::vector<std::uint64_t> exchange_attempts;   ///< summed over copies [pair of slots t, t+1]
  std::vector<std::uint64_t> exchange_accepted;   ///< [pair]
  std::vector<std::uint32_t> walk_up, walk_down;  ///< replicas heading up / down, counted at measurements [slot]
  std::vector<double> walk_mean;                  ///< round means of the test functions [replica][function]
  std::vector<std::uint32_t> round_trips;         ///< completed in this round [replica]
  int samples_per_slot = 0;
  std::vector<float> samples;  ///< single measurements (BinLayout), ascending in time [slot][sample][quantity]

  bool operator==(const RoundRecord&) const = default;
};

}}  // namespace glassworks::rounds

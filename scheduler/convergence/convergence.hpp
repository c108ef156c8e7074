#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/database.hpp"
#include "engine/bins/looks.hpp"
#include "engine/bins/stationarity.hpp"
#include "engine/config/config.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "scheduler/convergence/series_times.hpp"
#include "scheduler/convergence/walk_times.hpp"

namespace glassworks { inline namespace scheduler {

/// What is decided about a realization after a round. A pure function of its committed rounds and the configuration,
/// so it does not depend on workers, batches or interruptions.
struct Decision {
  RealizationStatus status = RealizationStatus::equilibrating;
  std::string reason;
  Judgement judgement;
};

/// Whether a decision is due after `rounds` rounds.
[[nodiscard]] bool decision_due(const ConvergenceConfig& config, std::uint32_t rounds);
/// Of a realization with this judgement: where lengths are given, at the end of its own.
[[nodiscard]] bool decision_due(const ConvergenceConfig& config, std::uint32_t rounds, const Judgement& judgement);

/// What the rounds of a realization show; the configuration says what is demanded of it.
struct Evidence {
  std::uint32_t rounds = 0;
  int measurements = 0;        ///< of one round
  WalkTimes walk;              ///< where slots are coupled by exchanges
  SeriesTimes series;          ///< where they are not (has_independent_slots)
  std::vector<ColdTime> cold;  ///< of overlap and chirality where they are; from rule 2 on
  LogBinningTest log_binning;
  CopyTest copies;  ///< of the energy
  /// An observable that must fluctuate but is identical in every round from n/8 on: there is no evidence that it has
  /// relaxed from its start. With exchanges new states enter at the hottest slot, so only this slot is tested.
  struct Frozen {
    std::string observable;
    int slot = 0;
  };
  std::optional<Frozen> frozen;
  std::uint64_t round_trips = 0;               ///< completed by all replicas since the start
  std::vector<std::uint64_t> trips_of_copies;  ///< by the replicas of each copy; from rule 2 on
  int slots = 1;

  /// Whether there is a time to go by: not for one slot of heisenberg under rule 1.
  [[nodiscard]] bool has_time() const { return walk.exist() || series.exist() || !cold.empty(); }
  /// The longest time of walk and spins, or of the observables; resolved if all are.
  [[nodiscard]] WalkTime tau() const;
  /// Of the copy that has made fewest; under rule 1 of all together.
  [[nodiscard]] std::uint64_t fewest_trips() const;
};

/// Round trips that all replicas complete in these rounds.
[[nodiscard]] std::uint64_t round_trips_in(const std::vector<RoundRow>& rounds);

/// Examines the stored rounds, at least one, as a rule asks (ConvergenceConfig::rule).
[[nodiscard]] Evidence examine(const std::vector<RoundRow>& rounds, int slots, const ChainObservables& observables,
                               std::uint64_t round_trips, int rule = ConvergenceConfig::newest_rule);

/// Length of a history compared with the autocorrelation time that it must cover. All decisions and messages about the
/// length use this struct.
struct HistoryLength {
  double tau =
      0.0;  ///< the longest of the walk, or of the observables, and ColdTime::upper of the spins [measurements]
  bool resolved = false;  ///< all these times are; else tau is a lower bound
  std::string of;         ///< whose tau it is, or which one is not resolved: "the temperature walk"
  double history = 0.0;   ///< [measurements]
  double needed = 0.0;    ///< n_tau; 0: any length will do
  bool met = false;

  /// "tau 60 measurements (q_c^2 at the lowest temperatures), history 37 tau (20 tau needed)"
  [[nodiscard]] std::string text() const;
};
[[nodiscard]] HistoryLength history_length(const ConvergenceConfig& config, const Evidence& evidence);

/// Whether each demand is met. Slots without exchanges have no walk: neither movement nor round trips are demanded of
/// them, and of one slot of heisenberg under rule 1 no length.
struct Demands {
  bool length = false;    ///< times are resolved and the history has n_tau of them; n_tau = 0: always
  bool movement = false;  ///< no replica's own tau is longer than a third of the history; n_tau = 0: always
  bool change = false;    ///< no observable stays the same all the time
  bool copies = false;    ///< the copies agree
  bool log_binning = false;
  bool round_trips = false;
  [[nodiscard]] bool equilibrated() const { return length && movement && change && copies && log_binning; }
  [[nodiscard]] bool all() const { return equilibrated() && round_trips; }
};
[[nodiscard]] Demands demands_met(const ConvergenceConfig& config, const Evidence& evidence);

/// Part of the history that the own tau of every replica must fit into. One that stays in its slot has a tau of at
/// least 0.44 of the history; where the history is 20 tau long, the longest of noisy times is by chance about 0.14 (10
/// slots), 0.25 (30) or 0.44 (233) of it, so long ladders need histories of up to 30 tau.
constexpr double longest_own_tau = 1.0 / 3.0;

/// Decides from what the rounds show: converged if all demands are met, producing if only round trips are missing,
/// failed at max_rounds, else equilibrating.
///
/// Averages leave out equilibration_tau tau, at least n/8 and at most n/2 of n rounds; n/2 where tau is not known or
/// the log-binning test fails. Where left_out is given, that share of the rounds, all but one at most.
[[nodiscard]] Decision decide(const ConvergenceConfig& config, const Evidence& evidence);

/// The reason of a realization that has failed at max_rounds, from what its last look says.
[[nodiscard]] std::string maximum_reached(const ConvergenceConfig& config, const std::string& look);

/// Decides where lengths are given: converged once that number of rounds is reached. Averages leave out what the
/// judgement says.
[[nodiscard]] Decision decide_given(const Judgement& given, std::uint32_t rounds);

/// Decides where there is a course: converged once it has reached its end.
[[nodiscard]] Decision decide_course(const ConvergenceConfig& config, std::uint32_t rounds);

/// Decides from the stored rounds.
[[nodiscard]] Decision decide(const ConvergenceConfig& config, const std::vector<RoundRow>& rounds, int slots,
                              const ChainObservables& observables, std::uint64_t round_trips);

}}  // namespace glassworks::scheduler

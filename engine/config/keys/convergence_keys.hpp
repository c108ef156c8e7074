#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace glassworks { inline namespace engine {

/// Where the length of a history comes from. own: the realization itself, by the criteria of convergence. given: the
/// database holds it (RealizationRow::judgement.expected_rounds); nothing else is asked. course: it has max_rounds,
/// those of its course.
enum class Lengths { own, given, course };

struct ConvergenceConfig {
  int min_rounds = 16;
  int max_rounds = 1024;
  int min_round_trips = 10;
  double n_tau = 20.0;              ///< length of a history in units of its largest tau; 0: any
  double equilibration_tau = 10.0;  ///< what averages leave out at the start, in the same units
  double left_out = 0.0;            ///< share of the rounds that they leave out instead; 0: equilibration_tau counts
  /// As given. A campaign keeps the rule that it began with: its stored text has none where that is the first one.
  std::optional<int> rule_given = {};
  Lengths lengths = Lengths::own;
  /// Share of a group of realizations that share words (Config::realizations_per_group) which must meet the criteria
  /// for the group to stop; 0: each realization stops by itself.
  double group_share = 0.0;
  /// Length of the history of a member whose group has stopped, in units of its largest tau; 0: n_tau.
  double group_n_tau = 0.0;

  static constexpr int newest_rule = 2;
  [[nodiscard]] int rule() const { return rule_given.value_or(newest_rule); }
  /// Round trips that one copy of `slots` replicas must make (rule 1: all copies together).
  [[nodiscard]] int round_trips_needed(int slots) const {
    if (rule() == 1 || min_round_trips == 0) return min_round_trips;
    return min_round_trips > slots ? min_round_trips : slots;
  }
};

constexpr auto enum_names(Lengths) { return std::to_array<std::string_view>({"own", "given", "course"}); }

/// Rows of the keys convergence.*; see KeyRows.
template <class Rows>
void convergence_keys(const Rows& rows) {
  // A course ends with its last measurement.
  const auto seeks_equilibrium = [](const auto& config) { return !config.course.exists(); };
  rows.number("convergence.min_rounds", {1, 1e7}, &ConvergenceConfig::min_rounds,
              "rounds before convergence is judged; the criterion itself needs 8")
      .only_of(seeks_equilibrium);
  rows.threshold("convergence.max_rounds", {1, 1e7}, &ConvergenceConfig::max_rounds,
                 "rounds after which a realization is given up as not converged")
      .with_limit("at least min_rounds")
      .only_of(seeks_equilibrium);
  rows.threshold(
          "convergence.min_round_trips", {0, 1e7}, &ConvergenceConfig::min_round_trips,
          "round trips through the ladder that the replicas of each copy must make, and never fewer than one for "
          "each of them on average; 0: none; none without exchanges; rule 1: of all copies together, no matter "
          "how many replicas")
      .only_of(seeks_equilibrium);
  rows.threshold("convergence.n_tau", {0, 1e6}, &ConvergenceConfig::n_tau,
                 "length of a converged history in units of the largest autocorrelation time of its temperature "
                 "walks and of its overlap and chirality at the lowest temperatures, or of its observables without "
                 "exchanges; 0: any")
      .only_of(seeks_equilibrium);
  rows.number("convergence.equilibration_tau", {0, 1e6}, &ConvergenceConfig::equilibration_tau,
              "what averages leave out at the start of a history, in the same units")
      .with_limit("below n_tau")
      .only_of(seeks_equilibrium);
  rows.threshold("convergence.left_out", {0, 0.99}, &ConvergenceConfig::left_out,
                 "share of the rounds of each history that averages leave out at its start, whatever its "
                 "autocorrelation times; 0: equilibration_tau decides")
      .only_of([](const auto& config) { return !config.course.exists() && config.convergence.left_out != 0.0; });
  rows.optional_threshold("convergence.rule", {1, ConvergenceConfig::newest_rule}, &ConvergenceConfig::rule_given,
                          &ConvergenceConfig::rule,
                          "criteria of convergence; 1: those of campaigns begun before rule 2, from the temperature "
                          "walk, energy and overlap alone")
      .only_of([](const auto& config) { return !config.course.exists() && config.convergence.rule() != 1; });
  rows.number("convergence.group_share", {0, 1}, &ConvergenceConfig::group_share,
              "share of a group of 128 realizations, which share the words of multi-spin coding, that must meet the "
              "criteria at a look for the group to stop; 0: each realization stops by itself")
      .only_of([](const auto& config) { return !config.course.exists() && config.convergence.group_share != 0.0; });
  rows.number("convergence.group_n_tau", {0, 1e6}, &ConvergenceConfig::group_n_tau,
              "length of the history of a member, in units of its largest autocorrelation time, once its group has "
              "stopped; 0: n_tau")
      .with_limit("at most n_tau")
      .only_of([](const auto& config) { return !config.course.exists() && config.convergence.group_n_tau != 0.0; });
  rows.choice("convergence.lengths", &ConvergenceConfig::lengths,
              "own: each realization runs until it meets the convergence criteria; given: for the number of rounds "
              "that the database holds for it, as `glassworks validate` sets it")
      .only_of([](const auto& config) { return config.convergence.lengths == Lengths::given; });
}

}}  // namespace glassworks::engine

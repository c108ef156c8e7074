#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/averages/log_binning.hpp"
#include "analysis/basics/test_family.hpp"
#include "analysis/statistics/history_tests.hpp"
#include "analysis/statistics/run_agreement.hpp"
#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {

/// An observable at every slot; one of pairs of slots has one entry less than there are slots.
struct ObservableResult {
  std::string name;
  std::vector<Estimate> at_slot;
  /// Standard errors over realizations and over groups of them, one of which is that of at_slot [slot]; empty where no
  /// realizations share random words.
  std::vector<double> over_realizations = {}, over_groups = {};
};

/// "0.0012 / 0.0030": over realizations, over groups; "-" at a slot without a value.
[[nodiscard]] std::string both_errors(const ObservableResult& observable, std::size_t slot);

/// How many realizations of a size are in which state.
struct RealizationCounts {
  int total = 0;
  int used = 0;              ///< enter the averages
  int unconverged_used = 0;  ///< of these, not converged
  int left_out = 0;          ///< have data but were not selected: not converged
  int converged = 0;
  int reached_maximum = 0;  ///< ran the maximum of rounds without converging
  int failed = 0;           ///< or quarantined, for another reason
  int running = 0;
  int not_started = 0;  ///< no round yet
};

/// What the realizations used do not reach of the criteria by which they stop; one may lack several.
struct Unmet {
  double n_tau = 0.0;       ///< convergence.n_tau
  int min_round_trips = 0;  ///< convergence.min_round_trips
  int unresolved = 0;       ///< of all used: no tau, or a history shorter than shortest_history of them
  int running = 0;          ///< not finished
  /// Of those that have finished without converging: tau is not resolved; it is, but the history is shorter than n_tau;
  /// too few round trips; none of these, so their bins or copies disagree, or something does not move.
  int unresolved_failed = 0, short_history = 0, few_round_trips = 0, other = 0;

  /// "tau is not resolved in 2, 3 have fewer than 10 round trips"; empty if there is nothing.
  [[nodiscard]] std::string text() const;
};

enum class Equilibration {
  equilibrated,             ///< no significant deviation, every realization used has converged and none was left out
  equilibrated_on_average,  ///< no significant deviation of the averages, but only part of the realizations, at least
                            ///< half, has converged
  not_equilibrated,         ///< a deviation, or a number of failed tests, that chance does not explain
  undecided                 ///< nothing significant, but too little data for more: Undecided says what is missing
};

/// Why there is no verdict.
enum class Undecided {
  no,
  few_realizations,
  few_rounds,
  none_converged,  ///< not one of the realizations used
  few_converged,   ///< fewer than half of them
  tests_fail,      ///< more realizations than chance explains, though not beyond doubt (doubtful_failures)
  tau_unresolved,  ///< in more than half of them: their histories are too short to know how long they have to be
  nothing_moves    ///< at some temperature without exchanges, in any realization
};

/// What a comparison is of.
enum class ComparisonKind {
  identity,
  log_bins,
  scatter_of_runs,
  farthest_run,
  scatter_of_copies,
  failed_log_binning,  ///< how many realizations fail a test that chance fails with a known probability
  failed_copies
};
constexpr std::size_t comparison_kinds = 7;

/// One of the quantities that vanish in equilibrium, or the number of failed tests.
struct Comparison {
  ComparisonKind kind = ComparisonKind::identity;
  std::string what;  ///< for people: "identity difference", "energy, last 1/2 - 1/4 of the rounds", "energy"
  double T = 0.0;
  Estimate difference;     ///< none of scatters and failed tests
  double sigma = 0.0;      ///< |difference| / error; a scatter; realizations that fail
  double threshold = 0.0;  ///< sigma above which it is significant
  int run = 0;             ///< of farthest_run
  double p = 1.0;          ///< probability that chance exceeds sigma, in this comparison alone
  int taken = 0;           ///< realizations that took the test, or pairs of copies
};

struct Verdict {
  Equilibration state = Equilibration::undecided;
  Undecided reason = Undecided::no;  ///< `no` unless the state is undecided
  int comparisons = 0;
  int significant = 0;             ///< comparisons above their threshold
  bool runs_disagree = false;      ///< some of these are of independent runs
  bool copies_disagree = false;    ///< or of copies of one realization
  double p = 1.0;                  ///< that chance makes any comparison of its family as significant as the worst one
  double level = 0.0;              ///< of the family: at p below it the size is not equilibrated
  std::vector<Comparison> worst;   ///< of each kind: the largest sigma / threshold
  std::vector<double> frozen;      ///< temperatures at which no logarithmic bins could be compared: nothing moved
  std::vector<std::string> lines;  ///< in words, with the numbers; the first says it all
};

/// Realizations below which no verdict is given: the error bars themselves are too uncertain.
constexpr int fewest_realizations = 8;

/// |sigma| that chance exceeds with probability `level` with n realizations, or groups of them where the error is over
/// groups: t_{n-1}(1 - level/2).
[[nodiscard]] double significance_threshold(double level, int independent);

/// Counts what realizations with at least one round lack. `measurements`: of a round.
[[nodiscard]] Unmet unmet_criteria(const ConvergenceConfig& criteria, std::span<const RealizationRow> used,
                                   int measurements, Slots slots);

/// What is judged of one size.
struct VerdictData {
  std::span<const double> temperatures;
  std::span<const ObservableResult> observables;
  std::span<const LogBinStep> steps;
  std::span<const RunComparison> runs = {};  ///< of independent runs of one system
  std::string order_parameter = "|q|^2";     ///< what people call it: OrderParameter::symbol
  Slots slots = Slots::exchange_replicas;
  Unmet unmet = {};
  FailedTests tests = {};
  std::span<const CopyScatter> copies = {};
  std::size_t sizes = 1;  ///< of the campaign, whose verdicts are one family of tests (family::verdicts)
};

/// The last three logarithmic bins must agree at every temperature in energy, order parameter at k = 0 and k_min, and
/// chirality, every identity among the observables must hold at every temperature, independent runs of one system and
/// the copies of all realizations must agree within their errors, and no more realizations may fail a test than chance
/// explains. A difference that is 0 in every realization is no comparison. Without a significant deviation the verdict
/// is undecided unless at least half of the realizations used have converged and resolve tau.
[[nodiscard]] Verdict judge(const VerdictData& data, const RealizationCounts& counts);

/// "equilibrated", "not equilibrated", ...
[[nodiscard]] const char* to_string(Equilibration state);

}}  // namespace glassworks::analysis

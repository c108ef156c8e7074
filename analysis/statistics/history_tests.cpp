#include "analysis/statistics/history_tests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/distributions.hpp"
#include "engine/bins/looks.hpp"
#include "engine/bins/stationarity.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr int fewest_pairs_of_copies = 8;
constexpr double shortest_of_scatter = 20.0;  // [tau]; averages may leave half of it out
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// z^2 of a difference of so many errors.
double normal_score(double t) {
  const double tail = student_tail(static_cast<double>(moment_batches - 1), std::abs(t));
  constexpr double smallest = 1e-300;
  const double z = normal_quantile(std::max(tail, smallest));
  return z * z;
}

}  // namespace

double shortest_history(Slots slots) { return slots == Slots::exchange_replicas ? 96.0 / 7.0 : 12.0; }

Slots slots_of(const Config& config, std::size_t temperatures) {
  const bool exchanged = temperatures > 1 && config.protocol.exchange != ExchangeSchedule::none;
  return exchanged ? Slots::exchange_replicas : Slots::are_independent;
}

HistoryTests test_history(const Config& config, const ChainObservables& observables, const RealizationRow& row,
                          std::span<const RoundRow> rounds, std::size_t slots) {
  constexpr std::size_t fewest_rounds = 8;
  const ConvergenceConfig& criteria = config.convergence;
  HistoryTests tests;
  if (criteria.lengths == Lengths::given || row.status == RealizationStatus::quarantined) return tests;
  const auto all = static_cast<std::uint32_t>(rounds.size());
  const std::uint32_t look = is_finished(row.status) ? all : last_look(criteria, all);
  if (look < fewest_rounds) return tests;
  const double M = rounds.front().record.measurements, tau = row.judgement.tau / M;
  tests.length = tau > 0.0 ? look / tau : unbounded;
  if (tests.length < shortest_tested_history) return tests;
  tests.taken = true;
  tests.log_binning_rate = false_alarm_of_log_binning(tests.length, tau);
  tests.copies_rate = observables.layout().copies() > 1 ? false_alarm_of_copies(tests.length, tau) : 0.0;
  // It has passed, unless the limits were those of its group.
  if (row.status == RealizationStatus::converged && criteria.group_share == 0.0) return tests;
  const BinOfRound bin = [&](std::size_t round) { return std::span<const double>(rounds[round].record.mean); };
  const StationarityTests outcome = test_stationarity(look, bin, static_cast<int>(slots), observables, criteria.rule(),
                                                      tau > 0.0 ? batch_in_tau * tau : longest_batches);
  tests.log_binning_failed = !outcome.log_binning.agrees();
  tests.copies_failed = !outcome.copies.agrees();
  return tests;
}

void FailedTests::add(const HistoryTests& tests) {
  if (!tests.taken) return;
  const auto count = [&](Count& of, bool failed, double rate) {
    of.failed += failed ? 1 : 0;
    of.rate += (rate - of.rate) / taken;
  };
  ++taken;
  count(log_binning, tests.log_binning_failed, tests.log_binning_rate);
  count(copies, tests.copies_failed, tests.copies_rate);
  failing += tests.log_binning_failed || tests.copies_failed ? 1 : 0;
}

double chance_of(const FailedTests::Count& count, int taken) {
  if (count.failed == 0) return 1.0;
  return binomial_tail(taken, std::min(count.rate, 1.0), count.failed - 1.0);
}

int failures_allowed(double rate, int taken, double level) {
  int allowed = 0;
  while (allowed < taken && chance_of({.failed = allowed + 1, .rate = rate}, taken) >= level) ++allowed;
  return allowed;
}

std::vector<CopyScatter> scatter_of_copies(std::span<const RealizationSummary> summaries, std::size_t slots) {
  std::vector<CopyScatter> all;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::vector<BatchMean> differences;
    for (const RealizationSummary& summary : summaries) {
      const std::size_t pairs = summary.copies.size() / slots;
      if (!summary.tests.taken || summary.tests.length < shortest_of_scatter) continue;
      for (std::size_t pair = 0; pair < pairs; ++pair) differences.push_back(summary.copies[slot * pairs + pair]);
    }
    CopyScatter scatter{.slot = slot, .pairs = 0, .ratio = 0.0, .factor = correlation_factor(differences)};
    for (const BatchMean& d : differences) {
      if (d.error == 0.0 && d.mean == 0.0) continue;
      ++scatter.pairs;
      scatter.ratio += d.error > 0.0 ? normal_score(d.mean / (d.error * std::sqrt(scatter.factor))) : unbounded;
    }
    if (scatter.pairs < fewest_pairs_of_copies) continue;
    scatter.ratio /= scatter.pairs;
    all.push_back(scatter);
  }
  return all;
}

double copy_threshold(const CopyScatter& scatter, double p) {
  return std::sqrt(copy_error_margin * chi_squared_quantile(scatter.pairs, p) / scatter.pairs);
}

double chance_of(const CopyScatter& scatter) {
  if (std::isinf(scatter.ratio)) return 0.0;
  return chi_squared_tail(scatter.pairs, scatter.ratio * scatter.pairs / copy_error_margin);
}

}}  // namespace glassworks::analysis

#include "scheduler/campaign/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "scheduler/campaign/stored_columns.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "scheduler/convergence/stopping_groups.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

constexpr const char* function_names[walk_functions] = {"2x - 1", "sign(2x - 1)", "cos(2 pi x)"};
constexpr const char* bin_names[] = {"1/2 - 1/4", "1/4 - 1/8"};
constexpr std::size_t comparisons_shown = 3;  // of each observable

const char* yes_or_no(bool met) { return met ? "met" : "NOT met"; }

std::string state(const Config& config, const RealizationRow& row) {
  std::string text = fmt::format("L = {}, realization {}: {} after {} rounds\n", row.key.L, row.key.realization,
                                 to_string(row.status), row.rounds);
  if (!row.reason.empty()) text += fmt::format("  reason       {}\n", visible_line(row.reason));
  std::vector<std::uint32_t> looks;
  const ConvergenceConfig& c = config.convergence;
  std::uint32_t next = first_look_from(c, 1);
  for (; next <= row.rounds; next = first_look_from(c, next + 1)) looks.push_back(next);
  text += fmt::format("  looks        {}",
                      looks.empty() ? "none so far" : fmt::format("after {} rounds", fmt::join(looks, ", ")));
  text += is_finished(row.status) ? "; no more\n" : fmt::format("; next after {}, last after {}\n", next, c.max_rounds);
  text += fmt::format("  attempts     attempt number {}; {} failed attempts at the next round, {} allowed\n",
                      row.attempt, row.failures, config.workers.max_attempts);
  return text;
}

/// The time that decides, as in the reason of the state.
std::string length_in_words(const ConvergenceConfig& config, const Evidence& e) {
  if (!e.has_time()) return {};
  const HistoryLength length = history_length(config, e);
  return fmt::format("  {}: {}\n", length.text(), config.n_tau == 0.0 ? "none demanded" : yes_or_no(length.met));
}

std::string walk(const ConvergenceConfig& config, const Evidence& e) {
  if (!e.walk.exist()) return "Temperature walk: none with one temperature\n";
  std::string text = fmt::format(
      "Temperature walk of {} replicas in rounds {} to {} of {} measurements: tau [measurements]\n"
      "  {:<13}{:>10}{:>10}{:>16}{:>10}{:>12}\n",
      e.walk.replicas(), e.walk.first_round, e.rounds - 1, e.measurements, "function", "of all", "resolved",
      "single: median", "longest", "of replica");
  for (std::size_t f = 0; f < walk_functions; ++f) {
    if (!e.walk.has_function[f]) continue;
    std::vector<double> taus;
    std::size_t longest = 0;
    for (std::size_t r = 0; r < e.walk.replicas(); ++r) {
      taus.push_back(e.walk.at(r, f).tau);
      if (taus[r] > taus[longest]) longest = r;
    }
    const double largest = taus[longest];
    std::nth_element(taus.begin(), taus.begin() + static_cast<std::ptrdiff_t>(taus.size() / 2), taus.end());
    text += fmt::format("  {:<13}{:>10.3g}{:>10}{:>16.3g}{:>10.3g}{:>12}\n", function_names[f], e.walk.of_all[f].tau,
                        e.walk.of_all[f].resolved ? "yes" : "no", taus[taus.size() / 2], largest, longest);
  }
  if (const auto& slowest = e.walk.slowest_function) {
    text += fmt::format("  {:<13}{:>10.3g}{:>10}   {:.3g} (2x - 1) {:+.3g} sign {:+.3g} cos; exponential fit: {}\n",
                        "slowest sum", slowest->time.tau, slowest->time.resolved ? "yes" : "no", slowest->weights[0],
                        slowest->weights[1], slowest->weights[2],
                        slowest->tau_exp ? fmt::format("tau_exp {:.3g}", *slowest->tau_exp)
                                         : std::string("none, shorter than three rounds"));
  }
  if (e.cold.empty()) text += length_in_words(config, e);
  if (config.n_tau == 0.0) return text;
  const double history = static_cast<double>(e.rounds) * e.measurements;
  return text + fmt::format("  every replica moves (own tau at most {:.3g}): {}\n", longest_own_tau * history,
                            yes_or_no(demands_met(config, e).movement));
}

std::string cold(const ConvergenceConfig& config, const Evidence& e) {
  const int coldest = coldest_slots(e.slots);
  std::string text = fmt::format("Spins in the {}: tau [measurements]\n  {:<13}{:>10}{:>12}{:>10}\n",
                                 coldest == 1 ? std::string("coldest slot") : fmt::format("{} coldest slots", coldest),
                                 "observable", "tau", "counted as", "resolved");
  for (const ColdTime& one : e.cold) {
    text += fmt::format("  {:<13}{:>10.3g}{:>12.3g}{:>10}\n", one.observable, one.time.tau, one.upper,
                        one.time.resolved ? "yes" : "no");
  }
  return text + length_in_words(config, e);
}

std::string series(const ConvergenceConfig& config, const Evidence& e, const std::vector<double>& temperatures) {
  std::string text = fmt::format(
      "Observables of slots without exchanges, in rounds {} to {} of {} measurements: tau [measurements]\n"
      "  {:<12}{:>5}{:>10}{:>10}{:>10}\n",
      e.series.first_round, e.rounds - 1, e.measurements, "observable", "slot", "T", "tau", "resolved");
  for (const SeriesTimes::Entry& entry : e.series.entries) {
    text += fmt::format("  {:<12}{:>5}{:>10.5g}{:>10.3g}{:>10}\n", entry.observable, entry.slot,
                        temperatures[static_cast<std::size_t>(entry.slot)], entry.time.tau,
                        entry.time.resolved ? "yes" : "no");
  }
  return text + length_in_words(config, e);
}

std::string log_bins(const Evidence& e, const std::vector<double>& temperatures) {
  const LogBinningTest& test = e.log_binning;
  if (!test.possible) return fmt::format("Log-binning: {} rounds are too few, 8 needed: NOT met\n", e.rounds);
  std::string text = fmt::format(
      "Log-binning: {} comparisons, false-alarm probability {:g} % together; errors from {} batches of {} rounds\n"
      "  {:<18}{:<11}{:>5}{:>10}{:>14}{:>12}{:>11}{:>8}\n",
      test.comparisons.size(), 100.0 * log_binning_false_alarm, test.batches, test.batch_rounds, "observable", "bins",
      "slot", "T", "difference", "error", "deviation", "limit");
  const std::size_t each = test.comparisons.size() / test.observables;
  for (std::size_t first = 0; first < test.comparisons.size(); first += each) {
    std::vector<BinComparison> part(test.comparisons.begin() + static_cast<std::ptrdiff_t>(first),
                                    test.comparisons.begin() + static_cast<std::ptrdiff_t>(first + each));
    std::stable_sort(part.begin(), part.end(),
                     [](const BinComparison& a, const BinComparison& b) { return a.deviation > b.deviation; });
    for (std::size_t i = 0; i < std::min(comparisons_shown, part.size()); ++i) {
      const BinComparison& c = part[i];
      text += fmt::format("  {:<18}{:<11}{:>5}{:>10.5g}{:>14.4g}{:>12.3g}{:>11.2f}{:>8.2f}\n", c.observable,
                          bin_names[c.bin], c.slot, temperatures[static_cast<std::size_t>(c.slot)], c.difference,
                          c.error, c.deviation, test.limit);
    }
  }
  return text + fmt::format("  agreement: {}\n", yes_or_no(test.agrees()));
}

std::string group(const Config& config, const RealizationRow& row, const Evidence& e) {
  const StoppingGroups groups(config);
  const auto number = groups.of(row.key);
  if (!number) return {};
  const ConvergenceConfig& c = config.convergence;
  const std::size_t first = *number * groups.size();
  return fmt::format(
      "Group: realizations {} to {} stop together when {} of them meet the criteria; by itself: {}; by the limits of "
      "the "
      "group once it has stopped: {}\n",
      first, first + groups.size() - 1, groups.needed(), yes_or_no(demands_met(c, e).all()),
      yes_or_no(demands_met(criteria_in_group(c), evidence_in_group(e, groups.size())).all()));
}

std::string outlook(const RealizationRow& row, const Decision& now) {
  std::string text = fmt::format(
      "Averages leave out {} of {} rounds",
      row.judgement.equilibration_rounds > 0 ? row.judgement.equilibration_rounds : row.rounds / 2, row.rounds);
  text += row.judgement.equilibration_rounds > 0 ? " (as of the last test)\n" : " (not judged yet: the first half)\n";
  if (is_finished(row.status)) return text;
  const std::uint32_t expected = now.judgement.expected_rounds;
  return text + (expected > row.rounds
                     ? fmt::format("Estimate: {} rounds in all, {} more\n", expected, expected - row.rounds)
                     : std::string("Estimate: nothing more is needed, the next test decides\n"));
}

}  // namespace

std::string explain(const Config& config, const RealizationRow& row, const std::vector<RoundRow>& rounds,
                    const SizeRow& size) {
  std::string text = state(config, row);
  if (rounds.empty()) return text + "There is nothing to show before the first round.\n";
  const ConvergenceConfig& c = config.convergence;
  const Evidence e = examine(rounds, static_cast<int>(size.temperatures.size()), stored_observables(config, size),
                             row.round_trips, c.rule());
  text += e.series.exist() ? series(c, e, size.temperatures) : walk(c, e);
  if (!e.cold.empty()) text += cold(c, e);
  if (e.walk.exist()) {
    const int needed = c.round_trips_needed(e.slots);
    const std::string trips = e.trips_of_copies.empty()
                                  ? fmt::format("Round trips of all replicas: {}; {} needed", e.round_trips, needed)
                                  : fmt::format("Round trips of the copies: {}; {} of each needed",
                                                fmt::join(e.trips_of_copies, ", "), needed);
    text += fmt::format("{}: {}\n", trips, yes_or_no(demands_met(c, e).round_trips));
  }
  if (e.frozen) {
    text += fmt::format("{} is the same in every round in slot {}, so its equilibration cannot be judged: NOT met\n",
                        e.frozen->observable, e.frozen->slot);
  }
  if (e.copies.possible) {
    const BinComparison& worst = e.copies.worst;
    text += fmt::format(
        "Copies: {} of 1 and {} differ most in slot {}, {:.4g} +- {:.3g}, {:.2f} standard errors ({:.2f} at most): "
        "{}\n",
        worst.observable, worst.bin, worst.slot, worst.difference, worst.error, worst.deviation, e.copies.limit,
        yes_or_no(e.copies.agrees()));
  }
  return text + log_bins(e, size.temperatures) + group(config, row, e) + outlook(row, decide(c, e));
}

}}  // namespace glassworks::scheduler

#include "analysis/averages/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "analysis/averages/verdict_lines.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t steps_between_three_bins = 2;

/// Comparisons of one size, each with the probability by which chance may exceed its threshold.
class Comparisons {
 public:
  explicit Comparisons(const VerdictData& data) : data_(data) {
    for (const ObservableResult& o : data.observables) {
      if (o.name == "identity_difference") add_identity("identity difference", o.at_slot);
      if (o.name == "field_identity_difference") add_identity("field identity difference", o.at_slot);
    }
    add_log_bins();
    for (const RunComparison& run : data.runs) add_runs(run);
    for (const CopyScatter& scatter : data.copies) add_copies(scatter);
    add_failures(ComparisonKind::failed_log_binning, "log-binning", data.tests.log_binning);
    add_failures(ComparisonKind::failed_copies, "the comparison of their copies", data.tests.copies);
    set_thresholds();
  }

  [[nodiscard]] const std::vector<Comparison>& all() const { return all_; }
  [[nodiscard]] bool has_three_bins() const { return three_bins_; }
  [[nodiscard]] const std::vector<double>& frozen() const { return frozen_; }
  /// Comparisons of quantities that move; failed tests are counted where nothing does.
  [[nodiscard]] std::size_t moving() const {
    return static_cast<std::size_t>(std::ranges::count_if(all_, [](const Comparison& c) {
      return c.kind != ComparisonKind::failed_log_binning && c.kind != ComparisonKind::failed_copies;
    }));
  }
  /// Number of comparisons of all sizes, taken to be as many in each.
  [[nodiscard]] std::size_t family() const { return all_.size() * data_.sizes; }

 private:
  /// Whether a difference can be tested: it needs an error bar (two equal numbers have none) and enough realizations.
  static bool is_comparison(const Estimate& d) {
    return d.independent() >= fewest_realizations && !std::isnan(significance(d)) && (d.mean != 0.0 || d.error > 0.0);
  }

  void add(ComparisonKind kind, const std::string& what, std::size_t slot, const Estimate& d) {
    Comparison& c = all_.emplace_back(Comparison{
        .kind = kind, .what = what, .T = data_.temperatures[slot], .difference = d, .sigma = significance(d)});
    c.p = std::isinf(c.sigma) ? 0.0 : 2.0 * student_tail(d.independent() - 1, c.sigma);
    threshold_.emplace_back([n = d.independent()](double level) { return significance_threshold(level, n); });
  }

  void add_identity(const std::string& what, std::span<const Estimate> differences) {
    for (std::size_t slot = 0; slot < differences.size(); ++slot) {
      if (is_comparison(differences[slot])) add(ComparisonKind::identity, what, slot, differences[slot]);
    }
  }

  void add_log_bins() {
    const std::string names[log_bin_quantities] = {"energy", data_.order_parameter};
    const std::string further[further_quantities] = {data_.order_parameter + " at k_min", "|q_c|^2"};
    const std::span<const LogBinStep> steps = data_.steps.first(std::min(data_.steps.size(), steps_between_three_bins));
    three_bins_ = steps.size() == steps_between_three_bins;
    std::vector<bool> moves(data_.temperatures.size(), false);
    for (const LogBinStep& step : steps) {
      const std::string bins = fmt_bins(step.bin);
      for (std::size_t quantity = 0; quantity < log_bin_quantities; ++quantity) {
        for (std::size_t slot = 0; slot < step.difference[quantity].size(); ++slot) {
          const Estimate& d = step.difference[quantity][slot];
          three_bins_ = three_bins_ && d.realizations >= fewest_realizations;
          if (!is_comparison(d)) continue;
          moves[slot] = true;
          add(ComparisonKind::log_bins, names[quantity] + bins, slot, d);
        }
      }
      for (std::size_t quantity = 0; quantity < further_quantities; ++quantity) {
        for (std::size_t slot = 0; slot < step.further[quantity].size(); ++slot) {
          const Estimate& d = step.further[quantity][slot];
          if (is_comparison(d)) add(ComparisonKind::log_bins, further[quantity] + bins, slot, d);
        }
      }
    }
    for (std::size_t slot = 0; three_bins_ && slot < moves.size(); ++slot) {
      if (!moves[slot]) frozen_.push_back(data_.temperatures[slot]);
    }
  }

  static std::string fmt_bins(int bin) { return ", bins " + log_bin_name(bin) + " - " + log_bin_name(bin + 1); }

  void add_runs(const RunComparison& run) {
    const double T = data_.temperatures[run.slot];
    const std::string what = run.quantity == LogBinQuantity::energy ? "energy" : data_.order_parameter;
    all_.push_back({.kind = ComparisonKind::scatter_of_runs,
                    .what = what,
                    .T = T,
                    .difference = {},
                    .sigma = run.scatter,
                    .p = chance_of_scatter(run)});
    threshold_.emplace_back([&run](double level) { return scatter_threshold(run, level); });
    all_.push_back({.kind = ComparisonKind::farthest_run,
                    .what = what,
                    .T = T,
                    .difference = {run.deviation, run.error, run.runs},
                    .sigma = run.sigma,
                    .run = static_cast<int>(run.farthest.realization),
                    .p = chance_of_farthest(run)});
    threshold_.emplace_back([&run](double level) { return farthest_threshold(run, level); });
  }

  void add_copies(const CopyScatter& scatter) {
    all_.push_back({.kind = ComparisonKind::scatter_of_copies,
                    .what = "energy",
                    .T = data_.temperatures[scatter.slot],
                    .difference = {},
                    .sigma = std::sqrt(scatter.ratio),
                    .p = chance_of(scatter),
                    .taken = scatter.pairs});
    threshold_.emplace_back([&scatter](double level) { return copy_threshold(scatter, level); });
  }

  void add_failures(ComparisonKind kind, const std::string& what, const FailedTests::Count& count) {
    const int taken = data_.tests.taken;
    if (taken == 0 || count.rate == 0.0) return;
    all_.push_back({.kind = kind,
                    .what = what,
                    .difference = {},
                    .sigma = static_cast<double>(count.failed),
                    .p = chance_of(count, taken),
                    .taken = taken});
    threshold_.emplace_back(
        [taken, rate = count.rate](double level) { return static_cast<double>(failures_allowed(rate, taken, level)); });
  }

  void set_thresholds() {
    const double level = family::verdicts.each(family());
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i].threshold = threshold_[i](level);
  }

  const VerdictData& data_;
  std::vector<Comparison> all_;
  std::vector<std::function<double(double level)>> threshold_;  ///< [comparison]
  bool three_bins_ = false;
  std::vector<double> frozen_;
};

std::vector<Comparison> worst_of_each_kind(const std::vector<Comparison>& all) {
  std::vector<Comparison> worst;
  const auto excess = [](const Comparison& c) { return c.sigma / std::max(c.threshold, 0.5); };
  for (std::size_t kind = 0; kind < comparison_kinds; ++kind) {
    const Comparison* largest = nullptr;
    for (const Comparison& c : all) {
      if (static_cast<std::size_t>(c.kind) != kind) continue;
      if (largest == nullptr || excess(c) > excess(*largest)) largest = &c;
    }
    if (largest != nullptr) worst.push_back(*largest);
  }
  return worst;
}

/// Why the verdict is undecided although no deviation is significant.
Undecided reason_undecided(const Comparisons& comparisons, const RealizationCounts& counts, const VerdictData& data) {
  const Unmet& unmet = data.unmet;
  const FailedTests& tests = data.tests;
  if (counts.used < fewest_realizations) return Undecided::few_realizations;
  if (!comparisons.has_three_bins()) return Undecided::few_rounds;
  if (counts.unconverged_used >= counts.used) return Undecided::none_converged;
  if (2 * unmet.unresolved > counts.used) return Undecided::tau_unresolved;
  if (2 * counts.unconverged_used > counts.used) return Undecided::few_converged;
  const double doubtful = doubtful_failures / 2.0;
  if (std::min(chance_of(tests.log_binning, tests.taken), chance_of(tests.copies, tests.taken)) < doubtful) {
    return Undecided::tests_fail;
  }
  const bool all_frozen = comparisons.moving() == 0;
  if (all_frozen || (data.slots == Slots::are_independent && !comparisons.frozen().empty()))
    return Undecided::nothing_moves;
  return Undecided::no;
}

}  // namespace

std::string both_errors(const ObservableResult& observable, std::size_t slot) {
  if (slot >= observable.at_slot.size()) return "-";
  return fmt::format("{:.2g} / {:.2g}", observable.over_realizations[slot], observable.over_groups[slot]);
}

Unmet unmet_criteria(const ConvergenceConfig& criteria, std::span<const RealizationRow> used, int measurements,
                     Slots slots) {
  Unmet unmet{.n_tau = criteria.n_tau, .min_round_trips = criteria.min_round_trips};
  for (const RealizationRow& row : used) {
    const double history = static_cast<double>(row.rounds) * measurements, tau = row.judgement.tau;
    const bool unresolved = !(tau > 0.0) || history < shortest_history(slots) * tau;
    unmet.unresolved += unresolved ? 1 : 0;
    if (row.status == RealizationStatus::converged) continue;
    if (!is_finished(row.status)) {
      ++unmet.running;
      continue;
    }
    const bool is_short = !unresolved && history < criteria.n_tau * tau;
    const bool few_trips = slots == Slots::exchange_replicas &&
                           row.round_trips < static_cast<std::uint64_t>(std::max(criteria.min_round_trips, 0));
    unmet.unresolved_failed += unresolved ? 1 : 0;
    unmet.short_history += is_short ? 1 : 0;
    unmet.few_round_trips += few_trips ? 1 : 0;
    unmet.other += !unresolved && !is_short && !few_trips ? 1 : 0;
  }
  return unmet;
}

double significance_threshold(double level, int independent) {
  if (independent < 2) return std::numeric_limits<double>::infinity();
  return student_quantile(independent - 1, level / 2.0);
}

Verdict judge(const VerdictData& data, const RealizationCounts& counts) {
  const Comparisons comparisons(data);
  Verdict verdict;
  verdict.comparisons = static_cast<int>(comparisons.all().size());
  verdict.frozen = comparisons.frozen();
  verdict.worst = worst_of_each_kind(comparisons.all());
  verdict.level = family::verdicts.level;
  for (const Comparison& c : comparisons.all()) {
    verdict.p = std::min(verdict.p, TestFamily::of_smallest(c.p, comparisons.family()));
    if (!(c.sigma > c.threshold)) continue;
    ++verdict.significant;
    const bool of_runs = c.kind == ComparisonKind::scatter_of_runs || c.kind == ComparisonKind::farthest_run;
    const bool of_copies = c.kind == ComparisonKind::scatter_of_copies || c.kind == ComparisonKind::failed_copies;
    verdict.runs_disagree = verdict.runs_disagree || of_runs;
    verdict.copies_disagree = verdict.copies_disagree || of_copies;
  }
  verdict.reason = reason_undecided(comparisons, counts, data);
  if (verdict.significant > 0 && verdict.reason != Undecided::few_realizations) {
    verdict.state = Equilibration::not_equilibrated;
    verdict.reason = Undecided::no;
  } else if (verdict.reason != Undecided::no) {
    verdict.state = Equilibration::undecided;
  } else if (counts.unconverged_used > 0 || counts.left_out > 0) {
    verdict.state = Equilibration::equilibrated_on_average;
  } else {
    verdict.state = Equilibration::equilibrated;
  }
  verdict.lines = verdict_lines(verdict, counts, data);
  return verdict;
}

const char* to_string(Equilibration state) {
  switch (state) {
    case Equilibration::equilibrated:
      return "equilibrated";
    case Equilibration::equilibrated_on_average:
      return "equilibrated on average";
    case Equilibration::not_equilibrated:
      return "not equilibrated";
    case Equilibration::undecided:
      return "undecided";
  }
  return "unknown";
}

}}  // namespace glassworks::analysis

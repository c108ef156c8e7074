#include "analysis/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "analysis/verdict_lines.hpp"

namespace glassworks::inline analysis {
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
    set_thresholds();
  }

  [[nodiscard]] const std::vector<Comparison>& all() const { return all_; }
  [[nodiscard]] bool has_three_bins() const { return three_bins_; }
  [[nodiscard]] const std::vector<double>& still() const { return still_; }

 private:
  /// Whether something can be compared: an error bar, which two equal numbers do not have, and enough realizations.
  static bool is_comparison(const Estimate& d) {
    return d.independent() >= fewest_realizations && !std::isnan(significance(d)) && (d.mean != 0.0 || d.error > 0.0);
  }

  void add(ComparisonKind kind, const std::string& what, std::size_t slot, const Estimate& d) {
    all_.push_back(
        {.kind = kind, .what = what, .T = data_.temperatures[slot], .difference = d, .sigma = significance(d)});
    run_.push_back(nullptr);
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
      if (!moves[slot]) still_.push_back(data_.temperatures[slot]);
    }
  }

  static std::string fmt_bins(int bin) { return ", bins " + log_bin_name(bin) + " - " + log_bin_name(bin + 1); }

  void add_runs(const RunComparison& run) {
    const double T = data_.temperatures[run.slot];
    const std::string what = run.quantity == LogBinQuantity::energy ? "energy" : data_.order_parameter;
    all_.push_back(
        {.kind = ComparisonKind::scatter_of_runs, .what = what, .T = T, .difference = {}, .sigma = run.scatter});
    all_.push_back({.kind = ComparisonKind::farthest_run,
                    .what = what,
                    .T = T,
                    .difference = {run.deviation, run.error, run.runs},
                    .sigma = run.sigma,
                    .run = static_cast<int>(run.farthest.realization)});
    run_.insert(run_.end(), 2, &run);
  }

  void set_thresholds() {
    const auto count = static_cast<int>(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      Comparison& c = all_[i];
      if (c.kind == ComparisonKind::scatter_of_runs) {
        c.threshold = scatter_threshold(*run_[i], family_false_alarm / count);
      } else if (c.kind == ComparisonKind::farthest_run) {
        c.threshold = farthest_threshold(*run_[i], family_false_alarm / count);
      } else {
        c.threshold = significance_threshold(count, c.difference.independent());
      }
    }
  }

  const VerdictData& data_;
  std::vector<Comparison> all_;
  std::vector<const RunComparison*> run_;  ///< [comparison]; nullptr for other kinds
  bool three_bins_ = false;
  std::vector<double> still_;
};

std::vector<Comparison> worst_of_each_kind(const std::vector<Comparison>& all) {
  std::vector<Comparison> worst;
  const auto excess = [](const Comparison& c) { return c.sigma / c.threshold; };
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

/// Why nothing can be said without a significant deviation.
Undecided missing_ground(const Comparisons& comparisons, const RealizationCounts& counts, const Unmet& unmet,
                         Slots slots) {
  if (counts.used < fewest_realizations) return Undecided::few_realizations;
  if (!comparisons.has_three_bins()) return Undecided::few_rounds;
  if (counts.unconverged_used >= counts.used) return Undecided::none_converged;
  if (2 * unmet.unresolved > counts.used) return Undecided::tau_unresolved;
  if (2 * counts.unconverged_used > counts.used) return Undecided::few_converged;
  const bool all_still = comparisons.all().empty();
  if (all_still || (slots == Slots::are_independent && !comparisons.still().empty())) return Undecided::nothing_moves;
  return Undecided::no;
}

}  // namespace

std::string both_errors(const ObservableResult& observable, std::size_t slot) {
  if (slot >= observable.at_slot.size()) return "-";
  return fmt::format("{:.2g} / {:.2g}", observable.over_realizations[slot], observable.over_groups[slot]);
}

double shortest_history(Slots slots) { return slots == Slots::exchange_replicas ? 96.0 / 7.0 : 12.0; }

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

double significance_threshold(int comparisons, int independent) {
  if (comparisons < 1 || independent < 2) return std::numeric_limits<double>::infinity();
  const boost::math::students_t distribution(independent - 1);
  return boost::math::quantile(boost::math::complement(distribution, family_false_alarm / (2.0 * comparisons)));
}

Verdict judge(const VerdictData& data, const RealizationCounts& counts) {
  const Comparisons comparisons(data);
  Verdict verdict;
  verdict.comparisons = static_cast<int>(comparisons.all().size());
  verdict.still = comparisons.still();
  verdict.worst = worst_of_each_kind(comparisons.all());
  for (const Comparison& c : comparisons.all()) {
    if (!(c.sigma > c.threshold)) continue;
    ++verdict.significant;
    const bool of_runs = c.kind == ComparisonKind::scatter_of_runs || c.kind == ComparisonKind::farthest_run;
    verdict.runs_disagree = verdict.runs_disagree || of_runs;
  }
  verdict.reason = missing_ground(comparisons, counts, data.unmet, data.slots);
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

}  // namespace glassworks::inline analysis

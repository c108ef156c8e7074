#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/history.hpp"
#include "base/distributions.hpp"
#include "kernels/make_backend.hpp"
#include "tests/engine/config_fixture.hpp"

namespace glassworks::testing {

/// Averages of a short equilibrated run of a configuration of one size, and every derived observable that it has.
class ShortRun {
 public:
  explicit ShortRun(const Config& config)
      : config_(config),
        chain_(make_chain(config_, 0)),
        columns_(BinLayout(chain_).names(), config_.model.dim),
        sites_(static_cast<double>(chain_.lattice.sites())) {
    for (Estimator& e : make_estimators(config_, config_.model.L.front(), columns_)) {
      if (!e.of_pair) estimators_.emplace(e.name, std::move(e.value));
    }
    simulate();
  }

  /// Averages over realizations, or all but one of them [slot][column].
  using Means = std::vector<std::vector<double>>;
  using Value = std::function<double(const Means&)>;

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const Columns& columns() const { return columns_; }
  [[nodiscard]] double sites() const { return sites_; }
  [[nodiscard]] int slots() const { return chain_.slots(); }
  [[nodiscard]] double beta(int slot) const { return static_cast<double>(chain_.beta[static_cast<std::size_t>(slot)]); }
  [[nodiscard]] std::size_t realizations() const { return summaries_.size(); }
  [[nodiscard]] const std::map<std::string, AverageFunction>& estimators() const { return estimators_; }
  [[nodiscard]] bool has(const std::string& name) const { return estimators_.contains(name); }
  /// Whether the bins hold a column whose equation is true of this campaign.
  [[nodiscard]] bool has_column(const std::string& name) const {
    return columns_.has(name) && find_observable(name)->holds_for(config_);
  }

  [[nodiscard]] Value observable(const std::string& name, int slot) const {
    return [f = estimators_.at(name), beta = beta(slot), t = static_cast<std::size_t>(slot)](const Means& means) {
      return f(means[t], beta);
    };
  }
  [[nodiscard]] Value column(const std::string& name, int slot) const {
    return [at = columns_[name], t = static_cast<std::size_t>(slot)](const Means& means) { return means[t][at]; };
  }

  /// Means over all realizations, then without number 0, 1, ...
  [[nodiscard]] const std::vector<Means>& means() const { return means_; }

 private:
  void simulate() {
    const std::unique_ptr<Backend> backend = make_backend(config_.backend.options);
    const auto count = static_cast<std::uint32_t>(config_.disorder.realizations.front());
    std::vector<Disorder> disorder;
    std::vector<ChainState> states;
    std::vector<RoundRecord> records(count);
    for (std::uint32_t r = 0; r < count; ++r) {
      disorder.push_back(make_disorder(config_, chain_.lattice, r));
      states.push_back(initial_state(chain_, r));
    }
    std::vector<RoundTask> tasks;
    for (std::uint32_t r = 0; r < count; ++r) tasks.push_back({r, &disorder[r], &states[r], &records[r]});
    RoundControl control;
    for (int round = 0; round < 2; ++round) {  // the first one equilibrates
      EXPECT_EQ(backend->run_round(chain_, tasks, control), RoundOutcome::finished);
    }
    for (std::uint32_t r = 0; r < count; ++r) {
      const RoundRow row{0, records[r], 0.0, 0};
      summaries_.push_back(summarize({config_.model.L.front(), r}, {&row, 1}, columns_, chain_.beta.size()));
    }
    means_.push_back(mean_without(count));
    for (std::size_t r = 0; r < count; ++r) means_.push_back(mean_without(r));
  }

  [[nodiscard]] Means mean_without(std::size_t left_out) const {
    const std::size_t width = columns_.size();
    Means means(chain_.beta.size(), std::vector<double>(width, 0.0));
    const double n = static_cast<double>(summaries_.size()) - (left_out < summaries_.size() ? 1.0 : 0.0);
    for (std::size_t r = 0; r < summaries_.size(); ++r) {
      if (r == left_out) continue;
      for (std::size_t i = 0; i < means.size() * width; ++i) means[i / width][i % width] += summaries_[r].mean[i] / n;
    }
    return means;
  }

  Config config_;
  Chain chain_;
  Columns columns_;
  double sites_;
  std::map<std::string, AverageFunction> estimators_;
  std::vector<RealizationSummary> summaries_;
  std::vector<Means> means_;
};

/// Counts comparisons and fails where two estimators of one quantity differ.
class PairComparison {
 public:
  /// false_alarm: of one comparison, by Student's t for the jackknife over realizations
  explicit PairComparison(double false_alarm) : false_alarm_(false_alarm) {}

  /// Whether a quantity vanishes within its jackknife error.
  ///
  /// scale  of what is subtracted: single precision makes a difference of 2e-6 of it, and where the error is above a
  ///        tenth of it the comparison says nothing and does not count
  void vanishes(const ShortRun& run, const ShortRun::Value& value, double scale, const std::string& what) {
    jackknife(
        value(run.means().front()), run.realizations(), [&](std::size_t r) { return value(run.means()[r + 1]); }, scale,
        what);
  }

  /// The same of the difference of two runs of the same realizations.
  void agree(const ShortRun& a, const ShortRun& b, const ShortRun::Value& of_a, const ShortRun::Value& of_b,
             double scale, const std::string& what) {
    const auto difference = [&](std::size_t r) { return of_a(a.means()[r]) - of_b(b.means()[r]); };
    jackknife(
        difference(0), a.realizations(), [&](std::size_t r) { return difference(r + 1); }, scale, what);
  }

  [[nodiscard]] int comparisons() const { return comparisons_; }
  /// Comparisons by what was compared.
  [[nodiscard]] const std::map<std::string, int>& counts() const { return counts_; }
  void begin(const std::string& configuration) { configuration_ = configuration; }

 private:
  template <class Without>
  void jackknife(double value, std::size_t realizations, const Without& without, double scale,
                 const std::string& what) {
    const auto n = static_cast<double>(realizations);
    double mean = 0.0, squares = 0.0;
    for (std::size_t r = 0; r < realizations; ++r) mean += without(r) / n;
    for (std::size_t r = 0; r < realizations; ++r) squares += (without(r) - mean) * (without(r) - mean);
    const double error = std::sqrt((n - 1.0) / n * squares);
    if (!std::isfinite(value) || !std::isfinite(error)) return;
    if (error > 0.1 * scale) return;
    ++comparisons_;
    ++counts_[what.substr(0, what.find(','))];
    const double limit = student_quantile(n - 1.0, false_alarm_ / 2.0);
    EXPECT_LE(std::abs(value), limit * error + 2e-6 * scale)
        << what << ": " << value << " +- " << error << " of " << scale << " (" << configuration_ << ")";
  }

  double false_alarm_;
  int comparisons_ = 0;
  std::map<std::string, int> counts_;
  std::string configuration_;
};

}  // namespace glassworks::testing

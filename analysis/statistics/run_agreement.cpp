#include "analysis/statistics/run_agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/observables/observable_formulas.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double block_in_tau = 4.0;
constexpr std::uint32_t most_blocks = 16;
constexpr double equal_means = 1e-12;  // relative: means of equal numbers differ by that much
constexpr double infinity = std::numeric_limits<double>::infinity();

double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

/// The runs of one quantity at one slot.
class Runs {
 public:
  Runs(std::span<const RealizationSummary> summaries, std::size_t place, std::uint32_t fewest_blocks) {
    for (const RealizationSummary& summary : summaries) {
      const RunBlocks& run = summary.blocks.at(place);
      if (run.blocks < fewest_blocks) continue;
      runs_.push_back({summary.key, run});
      blocks_ += run.blocks;
      mean_ += run.blocks * run.mean;
      squares_ += run.squares;
      largest_ = std::max(largest_, std::abs(run.mean));
    }
    mean_ /= std::max(blocks_, 1.0);
  }

  [[nodiscard]] int count() const { return static_cast<int>(runs_.size()); }

  [[nodiscard]] std::optional<RunComparison> compare(const RunBlocking& blocking) const {
    RunComparison c;
    c.runs = count();
    c.blocks = static_cast<int>(blocks_);
    double between = 0.0, farthest = 0.0;
    for (const Run& run : runs_) {
      const double deviation = run.of.mean - mean_;
      between += run.of.blocks * deviation * deviation;
      farthest = std::max(farthest, std::abs(deviation));
    }
    const bool equal = farthest <= equal_means * largest_,
               still = squares_ <= blocks_ * std::pow(equal_means * largest_, 2);
    if (still && equal) return std::nullopt;  // nothing moves anywhere: neither for nor against agreement
    if (still) {
      c.scatter = c.sigma = infinity;
      const auto most = std::max_element(runs_.begin(), runs_.end(), [&](const Run& a, const Run& b) {
        return std::abs(a.of.mean - mean_) < std::abs(b.of.mean - mean_);
      });
      c.farthest = most->key;
      c.deviation = most->of.mean - mean_;
      return c;
    }
    if (blocking.tau == 0.0) return std::nullopt;
    // Means of blocks of b rounds fluctuate by a part of about tau/b less than independent ones would, those of whole
    // runs too.
    const double lacking = std::min(blocking.tau / blocking.rounds, 0.5);
    const double per_run = blocks_ / count();
    const double within = squares_ / (blocks_ - count()) / (1.0 - lacking);
    c.scatter = std::sqrt(between / (count() - 1) / (1.0 - lacking / per_run) / within);
    c.sigma = -1.0;
    for (const Run& run : runs_) {
      const double own = run.of.squares / (run.of.blocks - 1) / (1.0 - lacking);
      const double error = std::sqrt(std::max(own, within) * (1.0 / run.of.blocks - 1.0 / blocks_));
      const double deviation = run.of.mean - mean_;
      if (std::abs(deviation) <= c.sigma * error) continue;
      c.farthest = run.key;
      c.deviation = deviation;
      c.error = error;
      c.sigma = std::abs(deviation) / error;
    }
    return c;
  }

 private:
  struct Run {
    RealizationKey key;
    RunBlocks of;
  };
  std::vector<Run> runs_;
  double blocks_ = 0.0, mean_ = 0.0, squares_ = 0.0, largest_ = 0.0;
};

}  // namespace

bool runs_agree_in_equilibrium(const Config& config) { return is_one_system(config); }

RunBlocking run_blocking(const Config& config, std::span<const RealizationRow> rows) {
  if (!runs_agree_in_equilibrium(config)) return {};
  std::vector<double> tau, rounds;
  for (const RealizationRow& row : rows) {
    if (row.rounds == 0) continue;
    const RoundRange used = equilibrated_part(row.rounds, row.judgement.equilibration_rounds);
    rounds.push_back(used.last - used.first);
    if (row.judgement.tau > 0.0) tau.push_back(row.judgement.tau / measurements_of_L(config, row.key.L));
  }
  if (tau.empty()) return {.rounds = 1, .tau = 0.0};
  RunBlocking blocking{.rounds = 1, .tau = median(std::move(tau))};
  const double history = median(std::move(rounds));
  const double length = std::max(std::ceil(block_in_tau * blocking.tau), std::floor(history / most_blocks));
  blocking.rounds = static_cast<std::uint32_t>(std::clamp(length, 1.0, 1e9));
  if (blocking.rounds > history / 2.0) return {.rounds = 1, .tau = 0.0};  // too short to know their errors
  return blocking;
}

std::vector<RunComparison> compare_runs(std::span<const RealizationSummary> summaries, std::size_t slots,
                                        const RunBlocking& blocking, int fewest) {
  std::vector<RunComparison> comparisons;
  if (blocking.rounds == 0) return comparisons;
  for (std::size_t quantity = 0; quantity < log_bin_quantities; ++quantity) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const Runs runs(summaries, slot * log_bin_quantities + quantity, blocking.tau > 0.0 ? 2 : 1);
      if (runs.count() < fewest) continue;
      std::optional<RunComparison> comparison = runs.compare(blocking);
      if (!comparison) continue;
      comparison->quantity = static_cast<LogBinQuantity>(quantity);
      comparison->slot = slot;
      comparisons.push_back(*comparison);
    }
  }
  return comparisons;
}

double scatter_threshold(const RunComparison& c, double p) {
  if (c.blocks <= c.runs) return 1.0;  // without fluctuations; the scatter is infinite
  return std::sqrt(run_error_margin * fisher_quantile(c.runs - 1, c.blocks - c.runs, p));
}

double farthest_threshold(const RunComparison& c, double p) {
  if (c.blocks <= c.runs) return 1.0;
  return std::sqrt(run_error_margin) * student_quantile(c.blocks - c.runs, p / (2.0 * c.runs));
}

double chance_of_scatter(const RunComparison& c) {
  if (c.blocks <= c.runs || std::isinf(c.scatter)) return 0.0;
  return fisher_tail(c.runs - 1, c.blocks - c.runs, c.scatter * c.scatter / run_error_margin);
}

double chance_of_farthest(const RunComparison& c) {
  if (c.blocks <= c.runs || std::isinf(c.sigma)) return 0.0;
  const double tail = student_tail(c.blocks - c.runs, c.sigma / std::sqrt(run_error_margin));
  return std::min(1.0, 2.0 * c.runs * tail);
}

}}  // namespace glassworks::analysis

#include "analysis/statistics/resampling.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace glassworks { inline namespace analysis {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::Map<const Eigen::RowVectorXd>;

/// Share of each realization in each set of the bootstrap [sample][realization]; groups are drawn as a whole.
/// Generator, seeding and distribution are the same numbers on every platform.
Matrix bootstrap_weights(std::uint64_t seed, int L, Eigen::Index samples, std::span<const std::size_t> groups) {
  std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      static_cast<std::uint32_t>(L)};
  std::mt19937_64 engine(words);
  const auto count = static_cast<Eigen::Index>(groups.size()) - 1;
  boost::random::uniform_int_distribution<Eigen::Index> pick(0, count - 1);
  Matrix weights = Matrix::Zero(samples, static_cast<Eigen::Index>(groups.back()));
  for (Eigen::Index s = 0; s < samples; ++s) {
    double drawn = 0.0;
    for (Eigen::Index draw = 0; draw < count; ++draw) {
      const auto g = static_cast<std::size_t>(pick(engine));
      const auto first = static_cast<Eigen::Index>(groups[g]), size = static_cast<Eigen::Index>(groups[g + 1]) - first;
      weights.row(s).segment(first, size).array() += 1.0;
      drawn += static_cast<double>(size);
    }
    weights.row(s) /= drawn;
  }
  return weights;
}

void check(const Ensemble& ensemble, const Resampling& resampling) {
  if (ensemble.realizations.empty())
    throw std::invalid_argument("ResampledAverages: an ensemble without a realization");
  if (ensemble.values.size() != ensemble.realizations.size() * ensemble.temperatures.size() * ensemble.columns.size()) {
    throw std::invalid_argument("ResampledAverages: an ensemble with values of another shape");
  }
  if (resampling.samples < 2) throw std::invalid_argument("ResampledAverages: fewer than two samples");
  if (resampling.group < 1) throw std::invalid_argument("ResampledAverages: groups without a realization");
}

}  // namespace

std::vector<std::size_t> block_limits(std::size_t realizations, std::size_t blocks) {
  std::vector<std::size_t> limits;
  for (std::size_t block = 0; block <= blocks; ++block) limits.push_back(block * realizations / blocks);
  return limits;
}

std::vector<std::size_t> group_limits(std::span<const std::uint32_t> realizations, std::uint32_t group) {
  std::vector<std::size_t> limits = {0};
  for (std::size_t r = 1; r < realizations.size(); ++r) {
    if (realizations[r] / group != realizations[r - 1] / group) limits.push_back(r);
  }
  if (!realizations.empty()) limits.push_back(realizations.size());
  return limits;
}

ResampledAverages::ResampledAverages(const Ensemble& ensemble, const Resampling& resampling)
    : temperatures_(ensemble.temperatures.size()),
      columns_(ensemble.columns.size()),
      samples_(static_cast<std::size_t>(resampling.samples)),
      spread_(std::numeric_limits<double>::quiet_NaN()) {
  check(ensemble, resampling);
  const std::size_t n = ensemble.realizations.size(), width = temperatures_ * columns_;
  whole_.assign(width, 0.0);
  Eigen::Map<Eigen::RowVectorXd> whole(whole_.data(), static_cast<Eigen::Index>(width));
  for (std::size_t r = 0; r < n; ++r) whole += Row(ensemble.values.data() + r * width, whole.size());
  whole /= static_cast<double>(n);

  const std::vector<std::size_t> groups = group_limits(ensemble.realizations, resampling.group);
  if (resampling.group > 1) groups_ = static_cast<int>(groups.size()) - 1;
  if (groups.size() == 2) {
    samples_ = 0;
  } else if (resampling.kind == ResamplingKind::jackknife) {
    leave_out_blocks(ensemble, groups);
  } else {
    draw_sets(ensemble, resampling, groups);
  }
}

void ResampledAverages::leave_out_blocks(const Ensemble& ensemble, Limits groups) {
  const std::size_t n = groups.back(), width = whole_.size();
  const auto columns = static_cast<Eigen::Index>(width);
  const Row whole(whole_.data(), columns);
  samples_ = std::min(samples_, groups.size() - 1);
  sampled_.assign(samples_ * width, 0.0);
  const double sets = static_cast<double>(samples_), count = static_cast<double>(n);
  spread_ = sets - 1.0;
  const std::vector<std::size_t> limits = block_limits(groups.size() - 1, samples_);
  for (std::size_t s = 0; s < samples_; ++s) {
    Eigen::Map<Eigen::RowVectorXd> without(sampled_.data() + s * width, columns);
    const std::size_t first = groups[limits[s]], last = groups[limits[s + 1]];
    for (std::size_t r = first; r < last; ++r) without += Row(ensemble.values.data() + r * width, columns);
    // x without a block of h: x + h (x - xbar of the block) / (n - h), so that little is lost where h << n.
    const double left_out = static_cast<double>(last - first);
    const double rest = groups_ > 0 ? count * (1.0 - 1.0 / sets) : count - left_out;
    without = whole + (left_out * whole - without) / rest;
  }
}

void ResampledAverages::draw_sets(const Ensemble& ensemble, const Resampling& resampling, Limits groups) {
  const double sets = static_cast<double>(samples_);
  spread_ = sets / (sets - 1.0);
  if (groups_ > 0) spread_ *= groups_ / (groups_ - 1.0);
  const Matrix weights = bootstrap_weights(resampling.seed, ensemble.L, static_cast<Eigen::Index>(samples_), groups);
  const auto columns = static_cast<Eigen::Index>(whole_.size());
  sampled_.assign(samples_ * whole_.size(), 0.0);
  Eigen::Map<Matrix>(sampled_.data(), weights.rows(), columns).noalias() =
      weights * Eigen::Map<const Matrix>(ensemble.values.data(), weights.cols(), columns);
}

std::span<const double> ResampledAverages::whole(std::size_t temperature) const {
  return std::span(whole_).subspan(temperature * columns_, columns_);
}

std::span<const double> ResampledAverages::sample(std::size_t s, std::size_t temperature) const {
  return std::span(sampled_).subspan((s * temperatures_ + temperature) * columns_, columns_);
}

std::string describe(const Resampling& resampling, std::size_t realizations) {
  if (realizations == 1) return "One realization has no error (its distance from the others is unknown).";
  if (resampling.kind == ResamplingKind::bootstrap) {
    return fmt::format("Errors: bootstrap over {} realizations, {} sets.", realizations, resampling.samples);
  }
  const std::size_t blocks = std::min(static_cast<std::size_t>(resampling.samples), realizations);
  if (blocks == realizations) {
    return fmt::format("Errors: jackknife over {} realizations, leaving out one at a time.", realizations);
  }
  const std::size_t smallest = realizations / blocks, rest = realizations % blocks;
  return fmt::format("Errors: jackknife over {} realizations in {} blocks of {}{}.", realizations, blocks, smallest,
                     rest == 0 ? std::string() : fmt::format(" or {}", smallest + 1));
}

}}  // namespace glassworks::analysis

#include "analysis/statistics/resampling.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace glassworks::inline analysis {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::Map<const Eigen::RowVectorXd>;

/// Share of each realization in each set of the bootstrap [sample][realization]. Generator, seeding and distribution
/// are the same numbers on every platform.
Matrix bootstrap_weights(std::uint64_t seed, int L, Eigen::Index samples, Eigen::Index realizations) {
  std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                      static_cast<std::uint32_t>(L)};
  std::mt19937_64 engine(words);
  boost::random::uniform_int_distribution<Eigen::Index> pick(0, realizations - 1);
  Matrix weights = Matrix::Zero(samples, realizations);
  for (Eigen::Index s = 0; s < samples; ++s) {
    for (Eigen::Index draw = 0; draw < realizations; ++draw) weights(s, pick(engine)) += 1.0;
  }
  return weights / static_cast<double>(realizations);
}

void check(const Ensemble& ensemble, const Resampling& resampling) {
  if (ensemble.realizations.empty())
    throw std::invalid_argument("ResampledAverages: an ensemble without a realization");
  if (ensemble.values.size() != ensemble.realizations.size() * ensemble.temperatures.size() * ensemble.columns.size()) {
    throw std::invalid_argument("ResampledAverages: an ensemble with values of another shape");
  }
  if (resampling.samples < 2) throw std::invalid_argument("ResampledAverages: fewer than two samples");
}

}  // namespace

std::vector<std::size_t> block_limits(std::size_t realizations, std::size_t blocks) {
  std::vector<std::size_t> limits;
  for (std::size_t block = 0; block <= blocks; ++block) limits.push_back(block * realizations / blocks);
  return limits;
}

ResampledAverages::ResampledAverages(const Ensemble& ensemble, const Resampling& resampling)
    : temperatures_(ensemble.temperatures.size()),
      columns_(ensemble.columns.size()),
      samples_(static_cast<std::size_t>(resampling.samples)),
      spread_(std::numeric_limits<double>::quiet_NaN()) {
  check(ensemble, resampling);
  const std::size_t n = ensemble.realizations.size(), width = temperatures_ * columns_;
  const double count = static_cast<double>(n);
  const auto columns = static_cast<Eigen::Index>(width);
  const auto realization = [&](std::size_t r) { return Row(ensemble.values.data() + r * width, columns); };

  whole_.assign(width, 0.0);
  Eigen::Map<Eigen::RowVectorXd> whole(whole_.data(), columns);
  for (std::size_t r = 0; r < n; ++r) whole += realization(r);
  whole /= count;
  if (n == 1) {
    samples_ = 0;
    return;
  }

  if (resampling.kind == ResamplingKind::jackknife) samples_ = std::min(samples_, n);
  sampled_.assign(samples_ * width, 0.0);
  const double sets = static_cast<double>(samples_);
  if (resampling.kind == ResamplingKind::bootstrap) {
    spread_ = sets / (sets - 1.0);
    const Matrix weights = bootstrap_weights(resampling.seed, ensemble.L, static_cast<Eigen::Index>(samples_),
                                             static_cast<Eigen::Index>(n));
    Eigen::Map<Matrix>(sampled_.data(), weights.rows(), columns).noalias() =
        weights * Eigen::Map<const Matrix>(ensemble.values.data(), weights.cols(), columns);
    return;
  }
  spread_ = sets - 1.0;
  const std::vector<std::size_t> limits = block_limits(n, samples_);
  for (std::size_t s = 0; s < samples_; ++s) {
    Eigen::Map<Eigen::RowVectorXd> without(sampled_.data() + s * width, columns);
    const double left_out = static_cast<double>(limits[s + 1] - limits[s]);
    for (std::size_t r = limits[s]; r < limits[s + 1]; ++r) without += realization(r);
    // x without a block of h: x + h (x - xbar of the block) / (n - h), so that little is lost where h << n.
    without = whole + (left_out * whole - without) / (count - left_out);
  }
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

}  // namespace glassworks::inline analysis

#include "engine/bins/stationarity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/distributions.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr std::size_t fewest_rounds = 8;   // so that the third bin has a round
constexpr std::size_t wanted_batches = 8;  // with fewer the limit is several times larger than with many
constexpr std::size_t steps_of_bins = 2;

double mean(const RoundMeans& means, std::size_t slot, std::size_t first, std::size_t last) {
  double sum = 0.0;
  for (std::size_t r = first; r < last; ++r) sum += means[r][slot];
  return sum / static_cast<double>(last - first);
}

/// Unbiased variance of the means of the last `batches` batches of `length` rounds about their regression line.
double batch_variance(const RoundMeans& means, std::size_t slot, std::size_t length, std::size_t batches) {
  const std::size_t first = means.size() - length * batches;
  const double center = mean(means, slot, first, means.size());
  double squares = 0.0, slope = 0.0, positions = 0.0;
  for (std::size_t b = 0; b < batches; ++b) {
    const double d = mean(means, slot, first + b * length, first + (b + 1) * length) - center;
    const double position = static_cast<double>(b) - 0.5 * static_cast<double>(batches - 1);
    squares += d * d;
    slope += d * position;
    positions += position * position;
  }
  return std::max(0.0, squares - slope * slope / positions) / static_cast<double>(batches - 2);
}

double deviation(double difference, double error) {
  if (difference == 0.0) return 0.0;
  const double ratio = std::fabs(difference) / error;
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

void compare(const RoundMeans& means, const std::string& observable, LogBinningTest& test) {
  const std::size_t n = means.size(), edge[] = {n, n / 2, n / 4, n / 8};
  const auto length = static_cast<std::size_t>(test.batch_rounds), batches = static_cast<std::size_t>(test.batches);
  for (std::size_t slot = 0; slot < means.front().size(); ++slot) {
    const double variance = batch_variance(means, slot, length, batches) * static_cast<double>(length);
    for (std::size_t bin = 0; bin < steps_of_bins; ++bin) {
      const auto later = static_cast<double>(edge[bin] - edge[bin + 1]);
      const auto earlier = static_cast<double>(edge[bin + 1] - edge[bin + 2]);
      const double difference =
          mean(means, slot, edge[bin + 1], edge[bin]) - mean(means, slot, edge[bin + 2], edge[bin + 1]);
      const double error = std::sqrt(variance * (1.0 / later + 1.0 / earlier));
      test.comparisons.push_back(
          {observable, static_cast<int>(slot), static_cast<int>(bin), difference, error, deviation(difference, error)});
    }
  }
}

}  // namespace

const BinComparison& LogBinningTest::worst() const {
  return *std::max_element(comparisons.begin(), comparisons.end(),
                           [](const BinComparison& a, const BinComparison& b) { return a.deviation < b.deviation; });
}

bool LogBinningTest::agrees() const { return possible && worst().deviation <= limit; }

double deviation_limit(std::size_t comparisons, int batches) {
  const double tail = log_binning_false_alarm / (2.0 * static_cast<double>(comparisons));
  return student_quantile(batches - 2, tail);
}

LogBinningTest log_binning(std::span<const NamedMeans> observables, double batch_rounds) {
  LogBinningTest test;
  const std::size_t rounds = observables.front().means.size();
  if (rounds < fewest_rounds) return test;
  const std::size_t half = rounds - rounds / 2, longest = std::max<std::size_t>(1, half / wanted_batches);
  const double length = std::clamp(std::ceil(batch_rounds), 1.0, static_cast<double>(longest));
  test.possible = true;
  test.batch_rounds = static_cast<int>(length);
  test.batches = static_cast<int>(half) / test.batch_rounds;
  test.observables = observables.size();
  for (const NamedMeans& one : observables) compare(one.means, one.observable, test);
  test.limit = deviation_limit(test.comparisons.size(), test.batches);
  return test;
}

CopyTest compare_copies(std::span<const NamedMeans> copies, const LogBinningTest& log_binning) {
  CopyTest test;
  if (copies.size() < 2 || !log_binning.possible) return test;
  const std::size_t rounds = copies.front().means.size(), slots = copies.front().means.front().size();
  const auto length = static_cast<std::size_t>(log_binning.batch_rounds);
  const auto batches = static_cast<std::size_t>(log_binning.batches);
  test.possible = true;
  test.comparisons = slots * (copies.size() - 1);
  test.limit = deviation_limit(test.comparisons, log_binning.batches);
  test.worst.deviation = -1.0;
  for (std::size_t other = 1; other < copies.size(); ++other) {
    RoundMeans differences = copies.front().means;
    for (std::size_t r = 0; r < rounds; ++r) {
      for (std::size_t slot = 0; slot < slots; ++slot) differences[r][slot] -= copies[other].means[r][slot];
    }
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const double difference = mean(differences, slot, rounds - length * batches, rounds);
      const double error = std::sqrt(batch_variance(differences, slot, length, batches) / static_cast<double>(batches));
      const BinComparison one{
          copies[other].observable,    static_cast<int>(slot), static_cast<int>(other) + 1, difference, error,
          deviation(difference, error)};
      if (one.deviation > test.worst.deviation) test.worst = one;
    }
  }
  return test;
}

namespace {

/// What the log-binning test looks at.
std::vector<ChainObservables::Mean> stationary_means(const ChainObservables& observables, int rule) {
  if (rule > 1) return observables.all_stationary();
  std::vector<ChainObservables::Mean> means;
  for (const ChainObservables::Named& named : observables.stationary()) {
    means.push_back({named.name, {named.observable}});
  }
  return means;
}

}  // namespace

StationarityTests test_stationarity(std::size_t rounds, const BinOfRound& bin, int slots,
                                    const ChainObservables& observables, int rule, double batch_rounds) {
  const auto series = [&](const std::vector<int>& averaged) {
    RoundMeans means;
    for (std::size_t r = 0; r < rounds; ++r) {
      std::vector<double>& values = means.emplace_back();
      const std::span<const double> of_round = bin(r);
      for (int slot = 0; slot < slots; ++slot) {
        double sum = 0.0;
        for (const int observable : averaged) {
          sum += of_round[static_cast<std::size_t>(slot * observables.size() + observable)];
        }
        values.push_back(sum / static_cast<double>(averaged.size()));
      }
    }
    return means;
  };
  std::vector<NamedMeans> means;
  for (const ChainObservables::Mean& mean : stationary_means(observables, rule)) {
    means.push_back({mean.name, series(mean.observables)});
  }
  StationarityTests tests{.log_binning = log_binning(means, batch_rounds), .copies = {}};
  std::vector<NamedMeans> copies;
  for (int copy = 0; copy < observables.layout().copies(); ++copy) {
    if (const auto energy = observables.energy_of_copy(copy)) copies.push_back({"energy", series({*energy})});
  }
  tests.copies = compare_copies(copies, tests.log_binning);
  return tests;
}

namespace {

/// `short_histories`: what is added at 20 tau, where four tau are three batches.
double false_alarm(double length, double tau, double short_histories) {
  constexpr double long_histories = 0.04;  // batches of four tau, tens of comparisons
  const double dependence = tau > 0.5 ? 1.0 - 0.25 / (tau * tau) : 0.0, cubed = std::pow(20.0 / length, 3);
  return std::min(1.0, log_binning_false_alarm + (long_histories + short_histories * cubed) * dependence);
}

}  // namespace

double false_alarm_of_log_binning(double length, double tau) { return false_alarm(length, tau, 0.08); }

double false_alarm_of_copies(double length, double tau) { return false_alarm(length, tau, 0.16); }

}}  // namespace glassworks::engine

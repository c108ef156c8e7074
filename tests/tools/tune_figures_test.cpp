#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tools/tune/figures.hpp"

namespace glassworks { namespace {

/// x_{i+1} = rho x_i + sqrt(1 - rho^2) g_i around a mean, with standard deviation 1 in equilibrium.
class Ar1 {
 public:
  explicit Ar1(double tau) : rho_((2.0 * tau - 1.0) / (2.0 * tau + 1.0)) {}

  double mean_of(int steps, std::mt19937_64& generator) const {
    std::normal_distribution<double> gauss;
    double x = gauss(generator), sum = 0.0;
    for (int i = 0; i < steps; ++i) {
      sum += x;
      x = rho_ * x + std::sqrt(1.0 - rho_ * rho_) * gauss(generator);
    }
    return sum / steps;
  }

  /// Exact variance of that mean.
  [[nodiscard]] double variance(int steps) const {
    const double n = steps, r = rho_;
    return ((1.0 + r) / (1.0 - r) - 2.0 * r * (1.0 - std::pow(r, n)) / (n * (1.0 - r) * (1.0 - r))) / n;
  }

 private:
  double rho_;
};

constexpr int realizations = 24, runs = 8, steps = 200;

/// Means of all runs; realization r has the mean 50 + r.
std::vector<double> run_means(Ar1 process, std::mt19937_64& generator) {
  std::vector<double> means;
  for (int r = 0; r < realizations; ++r) {
    for (int k = 0; k < runs; ++k) means.push_back(50.0 + r + process.mean_of(steps, generator));
  }
  return means;
}

/// ln of the exact squared relative error.
double exact(const Ar1& process) {
  double sum = 0.0;
  for (int r = 0; r < realizations; ++r) sum += process.variance(steps) / ((50.0 + r) * (50.0 + r));
  return std::log(sum / realizations);
}

// 300 comparisons: the mean of the deviations in units of their stated errors is 0 within 4/sqrt(300), the root mean
// square 1 within 15 %: by the central limit theorem 4 and more standard deviations each, false alarms 1e-4 (the seed
// is fixed). The mean allows in addition for that of the logarithm, half its variance.
TEST(SquaredError, OfAnAr1ProcessIsTheExactOneWithinItsStatedError) {
  std::mt19937_64 generator(17);
  const Ar1 process(5.0);
  double sum = 0.0, squares = 0.0;
  constexpr int repeats = 300;
  for (int i = 0; i < repeats; ++i) {
    const LogFigure figure = squared_error(run_means(process, generator), realizations);
    const LogRatio value = log_value(figure);
    const double pull = (value.value - exact(process) + 0.5 * value.error * value.error) / value.error;
    sum += pull;
    squares += pull * pull;
  }
  EXPECT_NEAR(sum / repeats, 0.0, 4.0 / std::sqrt(repeats));
  EXPECT_NEAR(std::sqrt(squares / repeats), 1.0, 0.15);
}

// A quarter of the realizations has nearly all of the squared error, so that the spread over realizations is twice the
// width that chi-square gives to equal ones. Bounds as above; the jackknife of so few errs by some percent itself.
TEST(SquaredError, OfUnequalRealizationsHasTheErrorThatTheirSpreadShows) {
  std::mt19937_64 generator(19);
  const Ar1 process(3.0);
  double sum = 0.0, squares = 0.0;
  constexpr int repeats = 300;
  const auto sample = [&] {
    std::vector<double> means;
    for (int r = 0; r < realizations; ++r) {
      const double amplitude = r % 4 == 0 ? 6.0 : 1.0;
      for (int k = 0; k < runs; ++k) means.push_back(1000.0 + amplitude * process.mean_of(50, generator));
    }
    return squared_error(means, realizations);
  };
  for (int i = 0; i < repeats; ++i) {
    const LogFigure a = sample(), b = sample();
    const LogRatio ratio = log_ratio(a, b);
    sum += ratio.value / ratio.error;
    squares += ratio.value * ratio.value / (ratio.error * ratio.error);
  }
  EXPECT_NEAR(sum / repeats, 0.0, 4.0 / std::sqrt(repeats));
  EXPECT_NEAR(std::sqrt(squares / repeats), 1.0, 0.2);
}

TEST(SquaredError, RatioOfTwoProcessesIsThatOfTheirTimesWithinItsStatedError) {
  std::mt19937_64 generator(18);
  const Ar1 slow(8.0), fast(2.0);
  double sum = 0.0, squares = 0.0;
  constexpr int repeats = 300;
  for (int i = 0; i < repeats; ++i) {
    const LogFigure a = squared_error(run_means(slow, generator), realizations);
    const LogFigure b = squared_error(run_means(fast, generator), realizations);
    const LogRatio ratio = log_ratio(times(a, 3.0, 0.0), b);
    const double pull = (ratio.value - std::log(3.0 * slow.variance(steps) / fast.variance(steps))) / ratio.error;
    sum += pull;
    squares += pull * pull;
  }
  EXPECT_NEAR(sum / repeats, 0.0, 4.0 / std::sqrt(repeats));
  EXPECT_NEAR(std::sqrt(squares / repeats), 1.0, 0.15);
}

TEST(SquaredError, OfRunsThatAreEqualIsNoNumber) {
  EXPECT_TRUE(std::isnan(squared_error(std::vector<double>(12, 1.5), 3).value));
}

TEST(LogRatio, IsNotBelowTheWidthOfChiSquareAndAddsTheTiming) {
  LogFigure a{.value = 1.0, .without = {1.0, 1.0, 1.0, 1.0}, .least_variance = 0.02, .timing_variance = 0.003};
  const LogFigure b = times({.value = 0.0, .without = {0, 0, 0, 0}, .least_variance = 0.01}, std::exp(2.0), 0.004);
  EXPECT_NEAR(log_ratio(a, b).value, -1.0, 1e-14);
  EXPECT_NEAR(log_ratio(a, b).error, std::sqrt(0.02 + 0.01 + 0.003 + 0.004), 1e-14);
}

TEST(LogRatio, LosesWhatTheSameRealizationsDoToBoth) {
  LogFigure a{.value = 0.0, .without = {-1.0, 0.0, 0.5, 0.5}}, b = a;
  for (double& x : b.without) x += 0.25;
  b.value += 0.25;
  EXPECT_NEAR(log_ratio(a, b).error, 0.0, 1e-14);
  EXPECT_GT(log_value(a).error, 0.5);
}

TEST(MeanOf, IsTheGeometricMean) {
  const std::vector<LogFigure> figures{{.value = std::log(2.0), .without = {0.0, 1.0}, .least_variance = 0.4},
                                       {.value = std::log(8.0), .without = {2.0, 3.0}, .least_variance = 0.4}};
  const LogFigure mean = mean_of(figures);
  EXPECT_NEAR(std::exp(mean.value), 4.0, 1e-12);
  EXPECT_EQ(mean.without, (std::vector<double>{1.0, 2.0}));
  EXPECT_NEAR(mean.least_variance, 0.2, 1e-14);
}

TEST(Drift, IsTheMeanDifferenceInStandardErrors) {
  EXPECT_EQ(drift(std::vector<double>{1, 1}, std::vector<double>{1, 1}), 0.0);
  // Differences 1, 2, 3: mean 2, standard error 1/sqrt(3).
  EXPECT_NEAR(drift(std::vector<double>{1, 1, 1}, std::vector<double>{2, 3, 4}), 2.0 * std::sqrt(3.0), 1e-12);
}

TEST(MedianTime, IsNotMovedByOneLongRound) {
  const MedianTime time = median_time({1.0, 1.02, 0.98, 1.01, 0.99, 50.0, 1.0});
  EXPECT_DOUBLE_EQ(time.seconds, 1.0);
  EXPECT_LT(std::sqrt(time.relative_variance), 0.02);
}

TEST(TuneFigures, TimeOfAMeasurementIsFreeOfWhatEveryRoundTakes) {
  // 3 ms a round and 2 ms a measurement, both medians uncertain by 1 %.
  const MedianTime time = time_between({0.013, 1e-4}, 5, {0.073, 1e-4}, 35);
  EXPECT_NEAR(time.seconds, 0.002, 1e-15);
  EXPECT_NEAR(time.relative_variance, (0.013 * 0.013 + 0.073 * 0.073) * 1e-4 / (0.06 * 0.06), 1e-15);
  EXPECT_LT(time_between({0.073, 1e-4}, 5, {0.013, 1e-4}, 35).seconds, 0.0);
}

}}  // namespace glassworks

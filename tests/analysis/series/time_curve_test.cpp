#include "analysis/series/time_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/series/series_analysis.hpp"
#include "tests/analysis/series/series_fixture.hpp"

namespace glassworks { namespace {

using testing::axis_names;
using testing::cut_short;
using testing::made_series;

double noise(std::uint32_t realization, std::uint64_t t, int i = 0) {
  std::seed_seq seed{realization, static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(i)};
  std::mt19937_64 random(seed);
  return std::normal_distribution<double>()(random);
}

/// Curves of the columns themselves and of the ratio of the first two.
std::vector<TimeCurve> simple_curves(const SizeSeries& series) {
  return make_time_curves(series, 0, {"a", "b", "ratio"}, [](std::size_t, std::span<const Estimate>) {
    return [](std::span<const double> x, std::span<double> f) {
      f[0] = x[0];
      f[1] = x[1];
      f[2] = x[0] / x[1];
    };
  });
}

TEST(TimeCurves, AreJackknivesOfTheRealizationsThatHaveATime) {
  SizeSeries series = made_series(8, {1, 2, 4}, {"a", "b"}, 6, [](auto r, auto t, int, const std::string& name) {
    return name == "a" ? 1.0 + 0.1 * noise(r, t) : 2.0 + 0.1 * noise(r, t, 1);
  });
  cut_short(series, 1, 2);
  cut_short(series, 4, 1);
  const std::vector<TimeCurve> curves = simple_curves(series);
  for (std::size_t time = 0; time < 3; ++time) {
    SampleTable samples(2);
    for (std::size_t i = 0; i < 6; ++i) {
      if (series.realizations[i].times > time) samples.add(series.row(i, time, 0));
    }
    EXPECT_EQ(static_cast<int>(samples.rows()), series.count(time));
    const Estimate expected = jackknife(samples, [](std::span<const double> x) { return x[0] / x[1]; });
    EXPECT_DOUBLE_EQ(curves[2].value[time], expected.mean);
    EXPECT_NEAR(curves[2].error[time], expected.error, 1e-14);
    EXPECT_NEAR(average_columns(series, 0, time)[0].error, curves[0].error[time], 1e-14);
    const TimeCurve column = column_curve(series, 0, 1);
    EXPECT_NEAR(column.value[time], curves[1].value[time], 1e-14);
    EXPECT_NEAR(column.error[time], curves[1].error[time], 1e-14);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(column.without[time][i], curves[1].without[time][i], 1e-14);
  }
  EXPECT_EQ(series.count(2), 4);
}

TEST(TimeCurves, OfOneRealizationHaveNoErrors) {
  const SizeSeries series = made_series(8, {1}, {"a", "b"}, 1, [](auto...) { return 2.0; });
  EXPECT_EQ(simple_curves(series)[2].value[0], 1.0);
  EXPECT_TRUE(std::isnan(simple_curves(series)[2].error[0]));
  EXPECT_TRUE(std::isnan(time_covariance(series, simple_curves(series)[2])[0][0]));
}

TEST(TimeCovariance, OfAveragesIsThatOfTheirSamples) {
  SizeSeries series = made_series(8, {1, 2, 4}, {"a", "b"}, 5,
                                  [](auto r, auto t, int, const std::string&) { return noise(r, 1) + noise(r, t, 2); });
  cut_short(series, 3, 2);
  const std::vector<TimeCurve> curves = simple_curves(series);
  const auto covariance = time_covariance(series, curves[0]);
  for (std::size_t time = 0; time < 3; ++time) {
    EXPECT_NEAR(covariance[time][time], curves[0].error[time] * curves[0].error[time], 1e-14);
  }
  double a = 0.0, b = 0.0,
         sum = 0.0;  // of times 1 and 2 over the four realizations that have both, of which 5 have time 1
  const std::vector<std::size_t> both = {0, 1, 2, 4};
  for (const std::size_t i : both) {
    a += series.row(i, 1, 0)[0] / 4.0;
    b += series.row(i, 2, 0)[0] / 4.0;
  }
  for (const std::size_t i : both) sum += (series.row(i, 1, 0)[0] - a) * (series.row(i, 2, 0)[0] - b);
  EXPECT_NEAR(covariance[1][2], sum / (5.0 * 3.0), 1e-14);
  EXPECT_EQ(covariance[1][2], covariance[2][1]);
}

/// Brownian motions: cov(x(t), x(t')) = min(t, t'). The product of two averages over n = 2000 realizations has a
/// relative scatter below sqrt(2 (1 + ...)/n) = 0.045; six of these: a false alarm in 10^8 runs of other seeds.
TEST(StatisticsTimeCovariance, OfKnownNoise) {
  const int n = 500;
  const SizeSeries series =
      made_series(8, {1, 2, 3, 4}, {"a", "b"}, n, [](auto r, auto t, int, const std::string& name) {
        double x = name == "a" ? 0.0 : 1.0;
        for (std::uint64_t step = 1; step <= t && name == "a"; ++step) x += noise(r, step);
        return x;
      });
  const auto covariance = time_covariance(series, simple_curves(series)[0]);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const double expected = static_cast<double>(b + 1) / n;
      const double scatter = std::sqrt((1.0 + static_cast<double>(a + 1) / static_cast<double>(b + 1)) / n);
      EXPECT_NEAR(covariance[a][b], expected, 6.0 * scatter * expected) << a << ' ' << b;
    }
  }
}

TEST(LocalSlopes, OfAPowerLawAreItsExponent) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t t = 1; t <= 1024; t *= 2) {
    times.push_back(t);
    if (t >= 4) times.push_back(t + t / 2);
  }
  // C(r) = exp(-r/l), for which xi_12 = 2 l = 5 t^(1/z), with a factor of the realization that drops out.
  const double z = 5.0;
  const SizeSeries series =
      made_series(256, times, axis_names(129), 4, [&](auto r, auto t, int, const std::string& name) {
        const double xi = 5.0 * std::pow(static_cast<double>(t), 1.0 / z), q = std::exp(-2.0 / xi);
        const int distance = std::stoi(name.substr(name.find('(') + 1));
        return (1.0 + 0.02 * noise(r, 0)) * std::pow(q, distance) *
               (1.0 + 0.2 * noise(r, t, distance) * std::pow(0.5, 30));
      });
  CampaignSeries campaign;
  campaign.sizes = {series};
  const CourseAnalysis analysis = analyze_course(std::move(campaign));
  const TimeCurve* const exponent = analysis.sizes[0].slots[0].find("z");
  ASSERT_NE(exponent, nullptr);
  EXPECT_TRUE(std::isnan(exponent->value[0]));  // two points
  int found = 0;
  for (std::size_t k = 2; k + 1 < times.size(); ++k) {
    if (analysis.sizes[0].series->L < 12.0 * analysis.sizes[0].slots[0].find("xi_12")->value[k]) continue;
    ++found;
    EXPECT_NEAR(exponent->value[k], z, 0.03) << times[k];
    EXPECT_GT(exponent->error[k], 0.0);
  }
  EXPECT_GT(found, 8);
}

}}  // namespace glassworks

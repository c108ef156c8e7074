#include "analysis/statistics/control_variate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/analysis/fake_campaign.hpp"
#include "tests/analysis/statistics/synthetic_ensemble.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;
using testing::make_synthetic;
using testing::Noise;

/// Controls "S" as given.
DisorderControls controls_of(std::vector<double> S) { return {{"S"}, std::move(S)}; }

std::vector<double> normal_numbers(int n, Noise& noise) {
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) numbers.push_back(noise.normal());
  return numbers;
}

double mean_of_column(const Ensemble& e, std::size_t c) {
  double sum = 0.0;
  for (std::size_t r = 0; r < e.realizations.size(); ++r) sum += e.at(r, 0)[c];
  return sum / static_cast<double>(e.realizations.size());
}

Curve column_curve(const Ensemble& e, std::size_t c) {
  const ResampledAverages averages(e, {ResamplingKind::jackknife, static_cast<int>(e.realizations.size()), 1});
  return make_curve("x", e, averages, [c](std::span<const double> x, double) { return x[c]; });
}

// Means over the bonds that are there, which alone have the mean that is known.
TEST(ControlVariate, OfAnOpenLatticeAreMeansOverItsBonds) {
  Config config = parse_config(
      "model.L = 4\nmodel.dim = 2\nmodel.boundary = open\ndisorder.realizations = 1\nladder.temperatures = 1\n");
  const std::vector<std::uint32_t> realizations = {0};
  const DisorderControls controls = disorder_controls(config, 4, realizations);
  const std::vector<float> J = make_disorder(config, config.lattice(4), 0).couplings;
  double sum = 0.0, squares = 0.0;
  for (const float x : J) {
    sum += static_cast<double>(x);
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  ASSERT_EQ(controls.values.size(), 2U);
  EXPECT_DOUBLE_EQ(controls.values[0], squares / 24.0 - 1.0);
  EXPECT_DOUBLE_EQ(controls.values[1], sum / 24.0);
}

// Slope and intercept from all rows but r, written out.
TEST(ControlVariate, UsesTheCoefficientWithoutTheRealizationItself) {
  Noise noise(1);
  const int n = 33;
  const std::vector<double> S = normal_numbers(n, noise);
  const Ensemble e = make_synthetic(n, {0.5, 1.0}, {"a", "b"}, [&](int r, std::size_t t, std::size_t c) {
    return 1.0 + (c == 0 ? 2.0 : -0.5) * S[static_cast<std::size_t>(r)] + 0.3 * static_cast<double>(t) + noise.normal();
  });
  const ControlledEnsemble result = apply_controls(e, controls_of(S));
  ASSERT_TRUE(result.applied);
  for (std::size_t r = 0; r < e.realizations.size(); ++r) {
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t c = 0; c < 2; ++c) {
        double s = 0.0, y = 0.0, ss = 0.0, sy = 0.0;
        for (std::size_t i = 0; i < e.realizations.size(); ++i) {
          if (i == r) continue;
          s += S[i];
          y += e.at(i, t)[c];
          ss += S[i] * S[i];
          sy += S[i] * e.at(i, t)[c];
        }
        const double slope = (sy - s * y / (n - 1)) / (ss - s * s / (n - 1));
        EXPECT_NEAR(result.ensemble.at(r, t)[c], e.at(r, t)[c] - slope * S[r], 1e-12);
      }
    }
  }
}

// y = 2 S + noise: the error falls by sqrt(1 + 4) = 2.236; relative standard error of the ratio 1/sqrt(n) with n = 400.
TEST(ControlVariate, GainsWhatIsKnown) {
  Noise noise(2);
  const int n = 400;
  const std::vector<double> S = normal_numbers(n, noise);
  const Ensemble e = make_synthetic(n, {1.0}, {"y", "independent"}, [&](int r, std::size_t, std::size_t c) {
    return (c == 0 ? 2.0 * S[static_cast<std::size_t>(r)] : 0.0) + noise.normal();
  });
  const ControlledEnsemble result = apply_controls(e, controls_of(S));
  ASSERT_TRUE(result.applied);
  EXPECT_THAT(result.sentence, HasSubstr("take away up to 8"));
  EXPECT_NEAR(column_curve(e, 0).error(0) / column_curve(result.ensemble, 0).error(0), std::sqrt(5.0),
              4.0 * 0.05 * std::sqrt(5.0));
  EXPECT_NEAR(column_curve(e, 1).error(0) / column_curve(result.ensemble, 1).error(0), 1.0, 0.03);

  Curve before = column_curve(e, 0), after = column_curve(result.ensemble, 0);
  const Curve without[] = {before}, with[] = {after};
  const std::string names[] = {"x"};
  const Figure figure = control_figure(without, with, names);
  ASSERT_EQ(figure.series.size(), 1U);
  EXPECT_DOUBLE_EQ(figure.series[0].y.at(0), before.error(0) / after.error(0));
  const Table table = control_table(without, with);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].size(), table.rows[0].size());
}

// y = S^2 + S with skewed S: a coefficient from the same data biases the mean. Mean over 4000 data sets within four
// standard errors of 1 (false alarm 6e-5).
TEST(ControlVariate, IsUnbiased) {
  Noise noise(3);
  const int n = 32, repetitions = 4000;
  double mean = 0.0, squares = 0.0, same_data = 0.0;
  for (int k = 0; k < repetitions; ++k) {
    std::vector<double> S;
    for (int r = 0; r < n; ++r) S.push_back(-std::log(noise.uniform()) - 1.0);  // mean 0, variance 1, third moment 2
    const Ensemble e = make_synthetic(n, {1.0}, {"y"}, [&](int r, std::size_t, std::size_t) {
      const double s = S[static_cast<std::size_t>(r)];
      return s * s + s + 0.5 * noise.normal();
    });
    const double adjusted = mean_of_column(apply_controls(e, controls_of(S)).ensemble, 0);
    mean += adjusted / repetitions;
    squares += adjusted * adjusted / repetitions;

    const double S_mean = std::accumulate(S.begin(), S.end(), 0.0) / n, y_mean = mean_of_column(e, 0);
    double ss = 0.0, sy = 0.0;
    for (int r = 0; r < n; ++r) {
      const double s = S[static_cast<std::size_t>(r)] - S_mean;
      ss += s * s;
      sy += s * e.at(static_cast<std::size_t>(r), 0)[0];
    }
    same_data += (y_mean - sy / ss * S_mean) / repetitions;
  }
  const double standard_error = std::sqrt((squares - mean * mean) / repetitions);
  EXPECT_NEAR(mean, 1.0, 4.0 * standard_error);
  EXPECT_GT(std::abs(same_data - 1.0), 8.0 * standard_error) << "the test would see the bias";
}

// 68 % intervals of the adjusted mean and of a ratio hold the truth; 2000 data sets, limits at four standard errors
// 0.0104 of the share and 0.02 for n = 48 (false alarm 1e-4).
TEST(ControlVariate, HasHonestErrors) {
  Noise noise(6);
  const int n = 48, repetitions = 2000;
  double mean_covered = 0.0, ratio_covered = 0.0;
  for (int k = 0; k < repetitions; ++k) {
    const std::vector<double> S = normal_numbers(n, noise);
    const Ensemble e = make_synthetic(n, {1.0}, {"y", "z"}, [&](int r, std::size_t, std::size_t c) {
      return (c == 0 ? 20.0 : 10.0) + (c == 0 ? 2.0 : 1.5) * S[static_cast<std::size_t>(r)] + noise.normal();
    });
    const ControlledEnsemble result = apply_controls(e, controls_of(S));
    const Curve mean = column_curve(result.ensemble, 0);
    const Curve ratio = make_curve("r", result.ensemble, ResampledAverages(result.ensemble, {}),
                                   [](std::span<const double> x, double) { return x[0] / x[1]; });
    if (std::abs(mean.value[0] - 20.0) < mean.error(0)) mean_covered += 1.0 / repetitions;
    if (std::abs(ratio.value[0] - 2.0) < ratio.error(0)) ratio_covered += 1.0 / repetitions;
  }
  EXPECT_NEAR(mean_covered, 0.683, 4.0 * 0.0104 + 0.02);
  EXPECT_NEAR(ratio_covered, 0.683, 4.0 * 0.0104 + 0.02);
}

TEST(ControlVariate, SparesWhatGainsNothingOrIsTooFew) {
  Noise noise(4);
  const auto run = [&](int n, double slope) {
    const std::vector<double> S = normal_numbers(n, noise);
    const Ensemble e = make_synthetic(n, {1.0}, {"y"}, [&](int r, std::size_t, std::size_t) {
      return slope * S[static_cast<std::size_t>(r)] + noise.normal();
    });
    const ControlledEnsemble result = apply_controls(e, controls_of(S));
    EXPECT_EQ(result.applied, result.ensemble.values != e.values);
    return result;
  };
  EXPECT_TRUE(run(32, 3.0).applied);
  EXPECT_FALSE(run(31, 3.0).applied);
  EXPECT_THAT(run(31, 3.0).sentence, HasSubstr("needs 32 realizations, there are 31"));
  EXPECT_FALSE(run(400, 0.05).applied);
  EXPECT_THAT(run(400, 0.05).sentence, HasSubstr("less than the 10 %"));
  EXPECT_THROW((void)apply_controls(run(40, 1.0).ensemble, controls_of({1.0})), std::invalid_argument);
}

TEST(ControlVariate, ConstantColumnsStayAndNotANumberDoesNotSpread) {
  Noise noise(5);
  const std::vector<double> S = normal_numbers(40, noise);
  Ensemble e = make_synthetic(40, {1.0}, {"y", "constant", "hole"}, [&](int r, std::size_t, std::size_t c) {
    return c == 1 ? 0.1 : S[static_cast<std::size_t>(r)] + 0.1 * noise.normal();
  });
  e.values[2] = std::numeric_limits<double>::quiet_NaN();
  const ControlledEnsemble result = apply_controls(e, controls_of(S));
  ASSERT_TRUE(result.applied);
  EXPECT_NEAR(result.ensemble.at(7, 0)[1], 0.1, 1e-14);
  EXPECT_TRUE(std::isfinite(result.ensemble.at(7, 0)[0]));
}

// sum J^2/N_b - 1 of N_b normal numbers has the variance 2/N_b, sum J/N_b 1/N_b; 600 realizations: relative standard
// errors sqrt(2/600), limits at four of these and at four standard errors of the means (false alarm 4e-4).
TEST(DisorderControls, HaveTheKnownMomentsOfTheDisorder) {
  Config config = testing::fake_config();
  config.campaign.seed = 11;
  config.model.field = FieldKind::gaussian;
  config.model.field_strength = 0.3;
  std::vector<std::uint32_t> ids(600);
  std::iota(ids.begin(), ids.end(), 0U);
  const DisorderControls controls = disorder_controls(config, 4, ids);
  ASSERT_EQ(controls.names.size(), 3U);
  ASSERT_EQ(controls.values.size(), 1800U);
  const double bonds = 192.0, variances[] = {2.0 / bonds, 1.0 / bonds, 2.0 / bonds};
  for (std::size_t k = 0; k < 3; ++k) {
    double mean = 0.0, square = 0.0;
    for (std::size_t r = 0; r < 600; ++r) {
      mean += controls.values[3 * r + k] / 600.0;
      square += controls.values[3 * r + k] * controls.values[3 * r + k] / 600.0;
    }
    EXPECT_NEAR(mean, 0.0, 4.0 * std::sqrt(variances[k] / 600.0)) << controls.names[k];
    EXPECT_NEAR(square / variances[k], 1.0, 4.0 * std::sqrt(2.0 / 600.0)) << controls.names[k];
  }
  const std::uint32_t last[] = {599};
  EXPECT_EQ(disorder_controls(config, 4, last).values[1], controls.values[3 * 599 + 1]) << "a function of the id";
}

TEST(DisorderControls, AreNotMadeWhereNothingIsDrawnFromAGaussian) {
  Config config = testing::fake_config();
  const std::uint32_t ids[] = {0};
  for (const CouplingKind kind : {CouplingKind::bimodal, CouplingKind::ferromagnet, CouplingKind::file}) {
    config.model.couplings = kind;
    EXPECT_TRUE(disorder_controls(config, 4, ids).names.empty());
  }
  const Ensemble e = testing::correlated_pairs(40, 1);
  const ControlledEnsemble result = apply_controls(e, {});
  EXPECT_FALSE(result.applied);
  EXPECT_THAT(result.sentence, HasSubstr("No control variates"));
}

}}  // namespace glassworks

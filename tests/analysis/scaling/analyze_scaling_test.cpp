#include "analysis/scaling/analyze_scaling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/analysis/scaling/synthetic_campaign.hpp"

namespace glassworks { namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double true_T_c = 0.3, true_inverse_nu = 0.8;

SyntheticCampaign transition() {
  SyntheticCampaign result;
  result.sizes = {4, 6, 8, 12};
  result.temperatures = equidistant(0.15, 0.6, 16);
  result.mean = [](double T, int L) { return 0.5 * std::exp(-0.5 * (T - true_T_c) * std::pow(L, true_inverse_nu)); };
  result.realizations = 120;
  result.resampling.samples = 60;
  return result;
}

std::vector<Curve> with_susceptibility(SyntheticCampaign ratio) {
  std::vector<Curve> curves = ratio.curves(11);
  ratio.mean = [](double T, int L) {
    return std::pow(L, 2.4) * std::exp(-0.4 * (T - true_T_c) * std::pow(L, true_inverse_nu));
  };
  std::ranges::move(ratio.curves(12, "chi_sg"), std::back_inserter(curves));
  return curves;
}

std::string all_text(const Section& section) {
  std::string text;
  for (const std::string& sentence : section.paragraphs) text += sentence + "\n";
  return text;
}

TEST(AnalyzeScaling, RecoversTheFormBehindAllItsCurves) {
  const std::vector<Curve> curves = with_susceptibility(transition());
  const ScalingResult result = analyze_scaling(curves);
  ASSERT_EQ(result.observables.size(), 1u);
  const ObservableScaling& scaling = result.observables[0];
  EXPECT_EQ(scaling.pairs.size(), 6u);
  EXPECT_EQ(scaling.quotients.size(), 6u);
  ASSERT_NE(scaling.fit(), nullptr) << scaling.correlated.sentence;
  // Five numbers within 3.5 standard errors: fails by chance with probability 0.003.
  const SampledNumber& T = *scaling.fit()->find("T_c");
  EXPECT_NEAR(T.value, true_T_c, 3.5 * T.error());
  EXPECT_NEAR(scaling.fit()->inverse_nu(), true_inverse_nu, 3.5 * scaling.fit()->find("1/nu")->error());
  ASSERT_EQ(scaling.gaussian.problem, "");
  EXPECT_NEAR(scaling.gaussian.find("T_c")->value, true_T_c, 3.5 * scaling.gaussian.find("T_c")->error());
  ASSERT_TRUE(scaling.susceptibility_scan.chosen) << scaling.susceptibility_scan.sentence;
  const SampledNumber& exponent = *scaling.susceptibility_scan.best.find("2 - eta");
  EXPECT_NEAR(exponent.value, 2.4, 3.5 * exponent.error());
  for (const Quotient& quotient : scaling.quotients) {
    EXPECT_NEAR(quotient.eta.value, -0.4, 4.0 * quotient.eta.error());
  }
}

TEST(AnalyzeScaling, ErrorOfTheSusceptibilityContainsThatOfTheTemperature) {
  const std::vector<Curve> curves = with_susceptibility(transition());
  const ScalingResult result = analyze_scaling(curves);
  const Scan& scan = result.observables[0].susceptibility_scan;
  ASSERT_TRUE(scan.chosen);
  const auto index =
      std::ranges::find(scan.best.parameters, "2 - eta", &ScalingParameter::name) - scan.best.parameters.begin();
  // The ratio and the susceptibility have independent noise here, so their variances add.
  const ScalingFit& ratio = *result.observables[0].fit();
  const double reach = std::max(-scan.best.x_min, scan.best.x_max) * (1.0 + 1e-9);
  const std::vector<ScalingCurve> points =
      within(result.observables[0].log_susceptibility, ratio.T_c(), ratio.inverse_nu(), reach, 12);
  const auto moved = [&](double T, double nu) {
    ScalingFitOptions options = scan.best.options;
    options.T_c = SampledNumber{ratio.T_c() + T, {}};
    options.inverse_nu = SampledNumber{ratio.inverse_nu() + nu, {}};
    options.resample = false;
    return fit_scaling(points, options).find("2 - eta")->value;
  };
  const double by_T = (moved(1e-4, 0.0) - moved(-1e-4, 0.0)) / 2e-4;
  const double by_nu = (moved(0.0, 1e-3) - moved(0.0, -1e-3)) / 2e-3;
  const SampledNumber &T = *ratio.find("T_c"), &nu = *ratio.find("1/nu");
  const double variance = scan.best.covariance(index, index) + by_T * by_T * T.covariance(T) +
                          2.0 * by_T * by_nu * T.covariance(nu) + by_nu * by_nu * nu.covariance(nu);
  EXPECT_NEAR(scan.best.find("2 - eta")->error() / std::sqrt(variance), 1.0, 0.08);
}

TEST(AnalyzeScaling, MagnetizationIsLeftOutWhereItCannotOrder) {
  std::vector<Curve> curves = transition().curves(11, "magnetization_binder");
  for (const char* name : {"xi_m_over_L", "overlap_binder"}) {
    std::ranges::move(transition().curves(12, name), std::back_inserter(curves));
  }
  const auto analyzed = [&](bool magnetization) {
    std::vector<std::string> names;
    ScalingOptions options;
    options.magnetization = magnetization;
    options.collapse = false;
    for (const ObservableScaling& o : analyze_scaling(curves, options).observables) names.push_back(o.observable);
    return names;
  };
  EXPECT_THAT(analyzed(true), ElementsAre("overlap_binder", "xi_m_over_L", "magnetization_binder"));
  EXPECT_THAT(analyzed(false), ElementsAre("overlap_binder"));
}

TEST(AnalyzeScaling, LeavesOutSizesThatDoNotScale) {
  SyntheticCampaign shifted = transition();
  shifted.mean = [](double T, int L) {
    return 0.5 * std::exp(-0.5 * (T - true_T_c) * std::pow(L, true_inverse_nu)) + (L == 4 ? 0.2 : 0.0);
  };
  const ScalingResult result = analyze_scaling(shifted.curves(5));
  ASSERT_TRUE(result.observables[0].correlated.chosen);
  EXPECT_EQ(result.observables[0].correlated.best.sizes.front(), 6);
  EXPECT_GT(result.observables[0].correlated.best.p_value, 0.05);
  EXPECT_EQ(result.observables[0].gaussian.sizes.front(), 6);
}

TEST(AnalyzeScaling, ChoosesByItsRule) {
  const ScalingResult result = analyze_scaling(transition().curves(3));
  const Scan& scan = result.observables[0].correlated;
  ASSERT_TRUE(scan.chosen);
  const ScanRow& chosen = scan.rows[*scan.chosen];
  EXPECT_GT(chosen.fit.p_value, 0.05);
  EXPECT_GE(chosen.fit.dof, 3);
  for (std::size_t i = 0; i < *scan.chosen; ++i) {
    const ScanRow& row = scan.rows[i];
    const bool next_is_better = scan.rows[i + 1].window == row.window && scan.rows[i + 1].L_min == row.L_min &&
                                scan.rows[i + 1].fit.chi2 < row.fit.chi2 - 4.0;
    EXPECT_TRUE(!row.fit.ok() || row.fit.p_value <= 0.05 || row.fit.dof < 3 || next_is_better) << i;
  }
  EXPECT_EQ(scan.best.chi2, chosen.fit.chi2);
  EXPECT_TRUE(std::isnan(chosen.fit.find("T_c")->error()));
  EXPECT_GT(scan.best.find("T_c")->error(), 0.0);
}

// The choice among fits is made with the data, which a single fit's error does not know. 300 repetitions, as in the
// tests of single fits.
TEST(SlowAnalyzeScaling, ChoiceCoversTheTruth) {
  Coverage T, nu;
  SyntheticCampaign small = transition();
  small.resampling.samples = 48;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    ScanOptions options;
    options.fit.weighting = Weighting::correlated;
    const Scan scan = scan_fits(small.scaling(seed), options);
    if (!scan.chosen) continue;
    T.add(scan.best.T_c(), scan.best.find("T_c")->error(), true_T_c);
    nu.add(scan.best.inverse_nu(), scan.best.find("1/nu")->error(), true_inverse_nu);
  }
  EXPECT_GE(T.repetitions, 285);
  EXPECT_NEAR(T.fraction(), 0.683, T.tolerance());
  EXPECT_NEAR(nu.fraction(), 0.683, nu.tolerance());
  EXPECT_LT(std::abs(T.bias()), T.largest_bias());
  EXPECT_LT(std::abs(nu.bias()), nu.largest_bias());
}

TEST(ScalingSection, HasFiguresAndTablesWithTheNumbersOfTheResult) {
  const std::vector<Curve> curves = with_susceptibility(transition());
  const ScalingResult result = analyze_scaling(curves);
  const Section section = scaling_section(result);
  std::set<std::string> ids;
  for (const Item& item : section.items) {
    ids.insert(std::visit([](const auto& x) { return x.id; }, item));
    if (const auto* figure = std::get_if<Figure>(&item)) {
      EXPECT_FALSE(figure->series.empty()) << figure->id;
      for (const Series& series : figure->series) {
        EXPECT_EQ(series.x.size(), series.y.size());
        EXPECT_EQ(series.y_error.size(), series.y.size());
        EXPECT_FALSE(series.x.empty()) << figure->id << series.name;
      }
    } else {
      const Table& table = std::get<Table>(item);
      EXPECT_GT(table.rows.size(), 1u) << table.id;
      for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.rows[0].size()) << table.id;
    }
  }
  EXPECT_EQ(ids.size(), section.items.size());
  for (const char* id : {"scaling_xi_over_L_curves", "scaling_xi_over_L_crossings", "scaling_xi_over_L_collapse",
                         "scaling_xi_over_L_gaussian", "scaling_xi_over_L_fits", "scaling_xi_over_L_scan",
                         "scaling_xi_over_L_collapse_chi", "scaling_xi_over_L_quotients", "scaling_xi_over_L_L_min"}) {
    EXPECT_THAT(ids, Contains(id));
  }
  EXPECT_THAT(all_text(section), HasSubstr("the joint fit of L = 4 to 12 gives T_{c} = "));
}

// Points of a collapse plot lie on its band: the offset and x of the figure are those of the fit.
TEST(ScalingSection, CollapsesThePointsOntoTheBand) {
  SyntheticCampaign precise = transition();
  precise.noise = 1e-4;
  const ScalingResult result = analyze_scaling(with_susceptibility(precise));
  int figures = 0;
  for (const Item& item : scaling_section(result).items) {
    const auto* figure = std::get_if<Figure>(&item);
    if (figure == nullptr ||
        (figure->id.find("collapse") == std::string::npos && figure->id.find("gaussian") == std::string::npos)) {
      continue;
    }
    ++figures;
    const Series& band = figure->series[0];
    EXPECT_EQ(band.style, SeriesStyle::band);
    for (std::size_t s = 1; s < figure->series.size(); ++s) {
      for (std::size_t i = 0; i < figure->series[s].x.size(); ++i) {
        const double x = figure->series[s].x[i];
        const auto right = std::clamp<std::ptrdiff_t>(std::ranges::upper_bound(band.x, x) - band.x.begin(), 1,
                                                      static_cast<std::ptrdiff_t>(band.x.size()) - 1);
        const auto b = static_cast<std::size_t>(right), a = b - 1;
        const double f = band.y[a] + (band.y[b] - band.y[a]) * (x - band.x[a]) / (band.x[b] - band.x[a] + 1e-300);
        EXPECT_NEAR(figure->series[s].y[i], f, 0.01) << figure->id << ' ' << x;
      }
    }
  }
  EXPECT_EQ(figures, 3);
}

TEST(ScalingSection, SaysWhatCannotBeHad) {
  EXPECT_THAT(all_text(scaling_section(analyze_scaling({}))), HasSubstr("no dimensionless ratio"));

  SyntheticCampaign one_size = transition();
  one_size.sizes = {8};
  EXPECT_THAT(all_text(scaling_section(analyze_scaling(one_size.curves(1)))), HasSubstr("one size only, L = 8"));

  std::vector<Curve> nothing = transition().curves(1);
  for (Curve& curve : nothing) curve.value.assign(curve.value.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(all_text(scaling_section(analyze_scaling(nothing))), HasSubstr("has no value at any temperature"));

  std::vector<Curve> gap = transition().curves(1);
  gap[1].value[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(all_text(scaling_section(analyze_scaling(gap))), HasSubstr("L = 6: 1 temperatures are left out"));

  SyntheticCampaign one_realization = transition();
  one_realization.realizations = 1;
  const std::string text = all_text(scaling_section(analyze_scaling(one_realization.curves(1))));
  EXPECT_THAT(text, HasSubstr("no error bars"));
  EXPECT_THAT(text, HasSubstr("no transition temperature is quoted"));

  SyntheticCampaign one_temperature = transition();
  one_temperature.temperatures = {0.2, 0.3};
  std::vector<Curve> single = one_temperature.curves(1);
  for (Curve& curve : single) curve.value[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(all_text(scaling_section(analyze_scaling(single))), HasSubstr("no range of temperatures in common"));
}

TEST(ScalingSection, WarnsOfFewSizesAndOfAMissingTransition) {
  SyntheticCampaign small = transition();
  small.sizes = {4, 6, 8};
  EXPECT_THAT(all_text(scaling_section(analyze_scaling(small.curves(1)))),
              HasSubstr("3 sizes up to L = 8 do not determine T_{c}"));
  small.sizes = {4, 6};
  EXPECT_THAT(all_text(scaling_section(analyze_scaling(small.curves(1)))),
              HasSubstr("2 sizes up to L = 6 do not determine T_{c}"));

  // All temperatures above the transition: nothing crosses, and no T_c may be quoted inside of the ladder.
  SyntheticCampaign above = transition();
  above.temperatures = equidistant(0.6, 1.2, 16);
  const ScalingResult result = analyze_scaling(above.curves(1));
  for (const PairCrossings& pair : result.observables[0].pairs) EXPECT_EQ(pair.verdict, CrossingVerdict::none);
  EXPECT_EQ(result.observables[0].fit(), nullptr);
  EXPECT_THAT(all_text(scaling_section(result)), HasSubstr("no transition temperature is quoted"));
}

}}  // namespace glassworks

#include "analysis/histories/paired_histories.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "analysis/histories/history_sections.hpp"
#include "analysis/histories/history_verdict.hpp"
#include "analysis/histories/overlap_moments.hpp"
#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

constexpr int temperatures = 3;

/// Realizations of one size with energies of their own (standard deviation 1 over them) plus noise of `noise` for each
/// history and temperature; `shift` is added to all. The rest is a propagator of mass 0.5 + 0.1 r.
SizeEnsemble histories(int realizations, double noise, double shift, unsigned seed, unsigned disorder = 1) {
  const Columns columns(testing::stored_names(), 3);
  SizeEnsemble size;
  size.size = {4, {0.4, 0.5, 0.6}, testing::stored_names(), false};
  std::mt19937_64 random(seed), of_disorder(disorder);
  std::normal_distribution<double> normal, own_normal;
  for (int r = 0; r < realizations; ++r) {
    const RealizationKey key{4, static_cast<std::uint32_t>(r)};
    const double own = own_normal(of_disorder);
    double energies[temperatures];
    for (double& e : energies) e = -2.0 + own + noise * normal(random) + shift;
    const std::vector<RoundRow> rounds = {testing::fake_round(0, temperatures, [&](int slot, const std::string& name) {
      return name == "energy" ? energies[slot] : testing::propagator_bin(0.5 + 0.1 * r, 4, name);
    })};
    size.summaries.push_back(summarize(key, rounds, columns, temperatures));
    RealizationRow row;
    row.key = key;
    row.rounds = 1;
    row.status = RealizationStatus::converged;
    size.rows.push_back(row);
    size.converged.push_back(true);
  }
  size.ensemble = make_ensemble(4, size.size.temperatures, columns, size.summaries);
  return size;
}

PairedObservable energy_of(const PairedHistories& paired) {
  for (const PairedObservable& o : paired.observables) {
    if (o.name == "energy") return o;
  }
  throw std::runtime_error("no energy");
}

TEST(PairedHistories, TheDisorderCancels) {
  const PairedHistories same =
      compare_histories(testing::fake_config(), histories(40, 0.1, 0.0, 1), histories(20, 0.1, 0.0, 2));
  EXPECT_EQ(same.pairs, 20U);
  EXPECT_EQ(same.missing, 0U);
  const double tests = static_cast<double>(same.observables.size());
  EXPECT_NEAR(same.limit, 4.6, 0.3) << "t of 19 degrees of freedom at 0.1 % for all observables";
  EXPECT_NEAR(chance_of(same.limit, same.pairs), 0.001 / tests, 1e-9);
  const PairedObservable energy = energy_of(same);
  const double paired = 0.1 * std::sqrt(2.0 / 20.0), of_campaign = 1.0 / std::sqrt(40.0);
  EXPECT_NEAR(energy.difference.error(0), paired, 0.4 * paired);
  EXPECT_LT(std::abs(energy.sigma), 4.0);
  EXPECT_LT(std::abs(energy.in_campaign_errors.mean), 4.0 * paired / of_campaign / std::sqrt(3.0));
  EXPECT_NEAR(energy.in_campaign_errors.error, paired / of_campaign / std::sqrt(3.0), 0.1) << "three temperatures";
}

// A shift of 0.2 is 6 paired errors at a temperature, 11 of all three, and 1.3 errors of the campaign.
TEST(PairedHistories, AShiftIsFoundWithItsSize) {
  const PairedHistories shifted =
      compare_histories(testing::fake_config(), histories(40, 0.1, 0.0, 1), histories(20, 0.1, 0.2, 2));
  const PairedObservable energy = energy_of(shifted);
  EXPECT_GT(energy.sigma, 6.0);
  EXPECT_NEAR(energy.in_campaign_errors.mean, 0.2 * std::sqrt(40.0), 0.4);
  EXPECT_GT(energy.worst, energy.in_campaign_errors.mean);
  const PartComparison comparison{
      .part = CampaignPart::second_histories, .start = "annealed", .sizes = {shifted}, .moments = {}};
  EXPECT_FALSE(comparison.agrees());
  EXPECT_THAT(summary_of(comparison), HasSubstr("Histories differ. Second histories with annealed start: 20 "
                                                "realizations; the largest difference over all temperatures is "));
}

/// One size that all other comparisons call equilibrated, judged beside further histories.
Verdict judged_beside(const PairedHistories& paired, CampaignPart part) {
  AnalysisResult averages;
  SizeResult& size = averages.sizes.emplace_back();
  size.L = paired.L;
  size.verdict.state = Equilibration::equilibrated;
  size.verdict.lines = {"equilibrated: no deviation in 15 comparisons", "all realizations used have converged"};
  judge_by_histories(
      averages, std::vector<PartComparison>{{.part = part, .start = "annealed", .sizes = {paired}, .moments = {}}});
  return averages.sizes.front().verdict;
}

TEST(PairedHistories, ASignificantDifferenceIsPartOfTheVerdict) {
  const Config config = testing::fake_config();
  const PairedHistories same = compare_histories(config, histories(40, 0.1, 0.0, 1), histories(20, 0.1, 0.0, 2)),
                        shifted = compare_histories(config, histories(40, 0.1, 0.0, 1), histories(20, 0.1, 0.2, 2));
  for (const CampaignPart part : {CampaignPart::second_histories, CampaignPart::fivefold}) {
    const Verdict agrees = judged_beside(same, part), differs = judged_beside(shifted, part);
    EXPECT_EQ(agrees.state, Equilibration::equilibrated);
    EXPECT_EQ(agrees.lines.size(), 3U);
    EXPECT_EQ(differs.state, Equilibration::not_equilibrated);
    EXPECT_THAT(differs.lines.front(), HasSubstr("not equilibrated"));
    EXPECT_THAT(differs.lines.back(), HasSubstr("energy by "));
  }
  EXPECT_EQ(judged_beside(shifted, CampaignPart::other_generator).state, Equilibration::equilibrated)
      << "a matter of the generator";
}

TEST(PairedHistories, FewPairsDecideNothing) {
  const PairedHistories few =
      compare_histories(testing::fake_config(), histories(40, 0.1, 0.0, 1), histories(fewest_pairs - 1, 0.1, 5.0, 2));
  EXPECT_EQ(judged_beside(few, CampaignPart::second_histories).state, Equilibration::equilibrated);
}

// sigma is about normal: 300 seeds, mean square 1 +- 0.08; Student's t with 19 degrees of freedom has 1.12.
TEST(PairedHistories, SignificancesAreThoseOfChance) {
  double squares = 0.0;
  int beyond = 0;
  constexpr int seeds = 300;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const double sigma = energy_of(compare_histories(testing::fake_config(), histories(20, 0.1, 0.0, 1000 + seed),
                                                     histories(20, 0.1, 0.0, 5000 + seed)))
                             .sigma;
    squares += sigma * sigma / seeds;
    beyond += std::abs(sigma) > 5.2 ? 1 : 0;
  }
  EXPECT_NEAR(squares, 1.12, 0.35);
  EXPECT_EQ(beyond, 0) << "0.005 % expected";
}

TEST(PairedHistories, OnlyWhatHasConvergedInBothIsCompared) {
  SizeEnsemble first = histories(14, 0.1, 0.0, 1), other = histories(12, 0.1, 0.0, 2);
  first.converged[3] = false;
  other.converged[5] = other.converged[6] = false;
  const PairedHistories paired = compare_histories(testing::fake_config(), first, other);
  EXPECT_EQ(paired.pairs, 9U);
  EXPECT_EQ(paired.missing, 3U);
  other.converged.assign(12, false);
  std::fill_n(other.converged.begin(), 7, true);
  EXPECT_TRUE(compare_histories(testing::fake_config(), first, other).observables.empty());
}

TEST(BatchMean, HasTheErrorOfItsBatches) {
  std::vector<double> series{9.0};  // a rest that is left out
  for (int b = 0; b < 8; ++b) series.insert(series.end(), {b + 0.5, b - 0.5});
  const BatchMean mean = batch_mean(series);
  EXPECT_DOUBLE_EQ(mean.mean, 3.5);
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt(6.0 / 8.0)) << "variance of 0 .. 7";
  EXPECT_EQ(batch_mean(std::vector<double>{1.0, 3.0}).error, 0.0);
}

// z of eight normal batches each: Student's t in about 14 degrees of freedom, so the scatter is 1; a realization in two
// different distributions stands out.
TEST(Moments, ScatterIsOneWhereBothHistoriesHaveOneDistribution) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto history = [&](double mean) {
    std::vector<double> series;
    for (int r = 0; r < 64; ++r) series.push_back(mean + normal(random));
    return batch_mean(series);
  };
  std::vector<double> z;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t r = 0; r < 400; ++r) {
    const BatchMean a = history(5.0), b = history(5.0);
    z.push_back((b.mean - a.mean) / std::hypot(a.error, b.error));
    numbers.push_back(r);
  }
  const MomentComparison quiet = judge_moments({"q^2"}, {z}, numbers).front();
  EXPECT_NEAR(quiet.scatter, 1.0, 4.0 * quiet.scatter_error);
  EXPECT_LT(std::abs(quiet.worst), quiet.limit);
  EXPECT_GT(quiet.limit, 4.0);
  z[17] = 12.0;
  const MomentComparison loud = judge_moments({"q^2"}, {z}, numbers).front();
  EXPECT_EQ(loud.worst_realization, 17U);
  EXPECT_GT(loud.worst, loud.limit);
  EXPECT_TRUE(judge_moments({"q^2"}, {{}}, {}).empty());
}

// AR(1) histories of 20 tau: batches of 2.5 tau, the means of neighbours of which are correlated. From the exact
// autocovariance of round means phi^t, the variance of the mean over its square error is expected; 800 histories give
// the factor within 3 % (one standard deviation).
TEST(Moments, CorrelationOfBatchesIsTakenFromAllRealizationsTogether) {
  constexpr int realizations = 800, rounds = 160;
  const double phi = std::exp(-1.0 / 8.0);
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<BatchMean> correlated, independent;
  double squares = 0.0, error_squares = 0.0;
  for (int r = 0; r < realizations; ++r) {
    std::vector<double> series, white;
    double x = normal(random);
    for (int t = 0; t < rounds; ++t) {
      series.push_back(x);
      white.push_back(normal(random));
      x = phi * x + std::sqrt(1.0 - phi * phi) * normal(random);
    }
    correlated.push_back(batch_mean(series));
    independent.push_back(batch_mean(white));
    squares += correlated.back().mean * correlated.back().mean;
    error_squares += correlated.back().error * correlated.back().error;
  }
  const double factor = correlation_factor(correlated);
  EXPECT_NEAR(factor, squares / error_squares, 0.24) << "5 % noise of the right side, four of them";
  EXPECT_GT(factor, 1.3);
  EXPECT_NEAR(correlation_factor(independent), 1.0, 0.12);
  EXPECT_EQ(correlation_factor({}), 1.0);
}

}}  // namespace glassworks

#include "analysis/reweighting/reweight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/reweighting/exact_ising.hpp"
#include "tests/analysis/reweighting/gaussian_samples.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

using testing::exact_ising;

const SampledQuantities& ising_quantities() {
  static const SampledQuantities quantities(testing::ExactIsing::names(), testing::ExactIsing::sites);
  return quantities;
}

/// Averages of every column over the joint samples of each slot.
SlotAverages slot_averages(const JointSamples& samples, const SampledQuantities& quantities) {
  SlotAverages averages{samples.temperatures, quantities.names(), {}};
  std::size_t next = 0;
  for (const std::size_t count : samples.count) {
    std::vector<double> sums(quantities.size(), 0.0);
    for (std::size_t n = 0; n < count; ++n, next += quantities.sampled()) {
      quantities.add_to(sums, std::span(samples.values).subspan(next, quantities.sampled()));
    }
    for (const double sum : sums) averages.values.push_back(sum / static_cast<double>(count));
  }
  return averages;
}

/// Every so many-th joint sample.
JointSamples thinned(const JointSamples& samples, std::size_t quantities, std::size_t every) {
  JointSamples part{samples.temperatures, {}, {}};
  std::size_t first = 0;
  for (const std::size_t count : samples.count) {
    part.count.push_back(count / every);
    for (std::size_t n = 0; n < count / every; ++n) {
      const auto from = samples.values.begin() + static_cast<std::ptrdiff_t>((first + n * every) * quantities);
      part.values.insert(part.values.end(), from, from + static_cast<std::ptrdiff_t>(quantities));
    }
    first += count;
  }
  return part;
}

// 100 repetitions, 5 temperatures x 4 columns; |t_99| > 5.5 has probability 3e-7: a false alarm 6e-6.
TEST(Reweight, AveragesOfPairsOfCopiesAgreeWithEnumerationBetweenTheSlots) {
  const std::vector<double> ladder = {0.5, 0.75, 1.1, 1.6}, temperatures = {0.5, 0.6, 0.9, 1.3, 1.45};
  const char* columns[] = {"energy", "energy_squared", "energy_product", "overlap_2"};
  std::vector<testing::Repeated> repeated(std::size(temperatures) * std::size(columns));
  for (unsigned seed = 0; seed < 100; ++seed) {
    const JointSamples samples = exact_ising().sample(ladder, 600, seed);
    const Reweighted result = reweight(samples, ising_quantities(), temperatures);
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      for (std::size_t c = 0; c < std::size(columns); ++c) {
        repeated[t * 4 + c].add(result.values[t * ising_quantities().size() + ising_quantities()[columns[c]]]);
      }
    }
  }
  for (std::size_t t = 0; t < temperatures.size(); ++t) {
    const auto exact = exact_ising().averages(temperatures[t]);
    for (std::size_t c = 0; c < std::size(columns); ++c) {
      EXPECT_LT(std::abs(repeated[t * 4 + c].sigmas(exact.at(columns[c]))), 5.5) << columns[c] << temperatures[t];
    }
    // A wrong weight (one copy only, say) shifts the overlap by far more than this.
    EXPECT_LT(std::sqrt(repeated[t * 4 + 3].variance()), 0.03);
  }
}

TEST(Reweight, FineBinsChangeAveragesByFarLessThanTheirErrors) {
  const testing::GaussianModel model{8.0};
  const SampledQuantities quantities = testing::GaussianModel::quantities();
  const std::vector<double> ladder = testing::equal_steps(3.0, 0.15, 12);
  std::vector<double> temperatures;
  for (int t = 0; t < 30; ++t) temperatures.push_back(ladder.front() + (ladder.back() - ladder.front()) * t / 29.0);
  std::vector<testing::Repeated> exact(temperatures.size() * quantities.size());
  std::vector<double> largest(exact.size(), 0.0);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const JointSamples samples = model.sample(ladder, 500, seed);
    const Reweighted fine = reweight(samples, quantities, temperatures);
    const Reweighted none = reweight(samples, quantities, temperatures, nullptr, Binning::none);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      exact[i].add(none.values[i]);
      largest[i] = std::max(largest[i], std::abs(fine.values[i] - none.values[i]));
    }
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      EXPECT_NEAR(fine.effective_samples[t] / none.effective_samples[t], 1.0, 0.01);
    }
  }
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_LT(largest[i], 0.05 * std::sqrt(exact[i].variance())) << i;
    EXPECT_GT(largest[i], 0.0) << "nothing was binned";
  }
}

// 200 repetitions; |t_199| > 5.5 has probability 1e-7, 3 comparisons.
TEST(Reweight, GaussianEnergiesHaveTheirAnalyticAverages) {
  const testing::GaussianModel model{5.0};
  const SampledQuantities quantities = testing::GaussianModel::quantities();
  const std::vector<double> ladder = testing::equal_steps(2.0, 0.2, 4);
  const double T = 1.0 / 1.7;
  testing::Repeated e, u, variance;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Reweighted r = reweight(model.sample(ladder, 400, seed), quantities, std::vector{T});
    e.add(r.values[quantities[SampledQuantities::energy]]);
    u.add(r.values[quantities["u"]]);
    variance.add(r.values[quantities[SampledQuantities::energy_squared]] -
                 r.values[quantities[SampledQuantities::energy_product]]);
  }
  EXPECT_LT(std::abs(e.sigmas(model.energy(T))), 5.5);
  EXPECT_LT(std::abs(u.sigmas(model.u(T))), 5.5);
  EXPECT_LT(std::abs(variance.sigmas(model.s * model.s)), 5.5);
}

// 150 repetitions, 8 comparisons of means at |t_149| > 5.5 (2e-7 each). The variance of the anchored values was
// measured to be a fifth of the others'; the ratio of two variances of 150 repetitions exceeds 3/5 instead with less
// than 1e-6.
TEST(Reweight, AnchoringToFullAveragesLowersTheVarianceWithoutBias) {
  const std::vector<double> ladder = {0.5, 0.75, 1.1, 1.6}, temperatures = {0.62, 1.3};
  const char* columns[] = {"energy", "energy_squared", "energy_product", "overlap_2"};
  std::vector<testing::Repeated> plain(8), anchored(8);
  const std::size_t width = ising_quantities().size();
  for (unsigned seed = 0; seed < 150; ++seed) {
    const JointSamples all = exact_ising().sample(ladder, 2000, 1000 + seed);
    const SlotAverages full = slot_averages(all, ising_quantities());
    const JointSamples samples = thinned(all, ising_quantities().sampled(), 10);
    const Reweighted without = reweight(samples, ising_quantities(), temperatures);
    const Reweighted with = reweight(samples, ising_quantities(), temperatures, &full);
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t c = 0; c < 4; ++c) {
        plain[t * 4 + c].add(without.values[t * width + ising_quantities()[columns[c]]]);
        anchored[t * 4 + c].add(with.values[t * width + ising_quantities()[columns[c]]]);
      }
    }
  }
  for (std::size_t t = 0; t < 2; ++t) {
    const auto exact = exact_ising().averages(temperatures[t]);
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t i = t * 4 + c;
      EXPECT_LT(anchored[i].variance(), 0.6 * plain[i].variance()) << columns[c] << temperatures[t];
      EXPECT_LT(std::abs(anchored[i].sigmas(exact.at(columns[c]))), 5.5) << columns[c] << temperatures[t];
    }
  }
}

TEST(Reweight, AnchoredCurvesPassThroughTheFullAveragesAtTheSlots) {
  const std::vector<double> ladder = {0.5, 0.75, 1.1, 1.6};
  const JointSamples samples = exact_ising().sample(ladder, 100, 5);
  SlotAverages full = slot_averages(exact_ising().sample(ladder, 1000, 6), ising_quantities());
  const Reweighted with = reweight(samples, ising_quantities(), ladder, &full);
  for (std::size_t i = 0; i < with.values.size(); ++i) EXPECT_NEAR(with.values[i], full.values[i], 1e-13);

  // The correction has no jumps: close to a slot, on either side, the curve is close to its full average.
  const Reweighted near = reweight(samples, ising_quantities(), std::vector{0.75 - 1e-5, 0.75 + 1e-5}, &full);
  const std::size_t width = full.columns.size();
  for (std::size_t i = 0; i < 2 * width; ++i) EXPECT_NEAR(near.values[i], full.values[width + i % width], 1e-4);

  // Columns are found by their names; what has no full average stays as it is.
  const Reweighted without = reweight(samples, ising_quantities(), ladder);
  SlotAverages some{ladder, {"foreign", "overlap_2"}, {}};
  for (std::size_t k = 0; k < ladder.size(); ++k) {
    some.values.insert(some.values.end(), {99.0, full.values[k * full.columns.size() + 2]});
  }
  const Reweighted partly = reweight(samples, ising_quantities(), ladder, &some);
  for (std::size_t i = 0; i < partly.values.size(); ++i) {
    EXPECT_NEAR(partly.values[i], i % full.columns.size() == 2 ? full.values[i] : without.values[i], 1e-13);
  }
}

TEST(Reweight, EqualWeightsCountEverySampleAndUnequalOnesFewer) {
  const JointSamples one = exact_ising().sample({0.9}, 300, 1);
  const Reweighted at_slot = reweight(one, ising_quantities(), std::vector{0.9});
  EXPECT_NEAR(at_slot.effective_samples[0], 300.0, 1e-9);
  EXPECT_NEAR(at_slot.values[ising_quantities()["overlap_2"]], slot_averages(one, ising_quantities()).values[2], 1e-12);

  // Two slots, one sample each and energies E apart: w is known, and so is (1 + w)^2 / (1 + w^2).
  const SampledQuantities quantities({"energy_of_copy_1", "energy_of_copy_2"}, 1.0);
  const JointSamples two{{1.0, 2.0}, {1, 1}, {-1.0F, -1.0F, 1.0F, 1.0F}};
  const Reweighted r = reweight(two, quantities, std::vector{1.0});
  // By symmetry f_1 - f_0 makes D(-2)/D(2) = exp(3) with beta = 1, 1/2: ln w ratio at beta = 1 is -4 + 3 = -1.
  const double w = std::exp(-1.0);
  EXPECT_NEAR(r.effective_samples[0], (1.0 + w) * (1.0 + w) / (1.0 + w * w), 1e-6);
  EXPECT_NEAR(r.values[2], (-1.0 + w) / (1.0 + w), 1e-6);
  EXPECT_TRUE(r.flagged(0));
  EXPECT_FALSE(at_slot.flagged(0));
}

TEST(Reweight, RefusesTemperaturesBetweenSlotsThatDoNotOverlap) {
  const testing::GaussianModel model{20.0};
  const SampledQuantities quantities = testing::GaussianModel::quantities();
  for (const double step : {0.25, 2.0}) {  // D/s' = 7 and 57: the energies nearly meet, and are far apart
    std::vector<double> ladder = {1.0 / (3.05 + step), 1.0 / (3.0 + step), 1.0 / 3.0, 1.0 / 2.95};
    const JointSamples samples = model.sample(ladder, 200, 8);
    const std::vector<double> temperatures = {ladder[0], 1.0 / (3.02 + step), ladder[1], 1.0 / (3.0 + 0.5 * step),
                                              ladder[2], 1.0 / 2.97};
    const Reweighted r = reweight(samples, quantities, temperatures);
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      EXPECT_EQ(r.refused(t), t == 3) << t;
      const double e = r.values[t * quantities.size() + quantities[SampledQuantities::energy]];
      EXPECT_EQ(std::isnan(e), t == 3);
      // 200 to 400 joint samples of two copies: the error is at most 1.
      if (t != 3) {
        EXPECT_NEAR(e, model.energy(temperatures[t]), 6.0);
      }
    }
    EXPECT_LT(r.overlap[1], 0.01);
    EXPECT_GT(r.overlap[0], 0.1);
  }
}

TEST(Reweight, OneSlotHasItsOwnTemperatureOnly) {
  const JointSamples one = exact_ising().sample({0.9}, 50, 1);
  EXPECT_NO_THROW((void)reweight(one, ising_quantities(), std::vector{0.9}));
  EXPECT_THAT([&] { (void)reweight(one, ising_quantities(), std::vector{0.91}); }, Fails());
}

TEST(Reweight, RefusesToExtrapolate) {
  const JointSamples samples = exact_ising().sample({0.9, 1.0}, 50, 1);
  for (const double T : {0.899, 1.001, -1.0, std::nan("")}) {
    EXPECT_THAT([&] { (void)reweight(samples, ising_quantities(), std::vector{0.95, T}); }, Fails());
  }
}

TEST(Reweight, RefusesDataThatCannotBeUsedInOneSentence) {
  const JointSamples good = exact_ising().sample({0.9, 1.0}, 20, 1);
  const auto with = [&](auto&& damage) {
    JointSamples samples = good;
    damage(samples);
    return [=] { (void)reweight(samples, ising_quantities(), std::vector{0.95}); };
  };
  EXPECT_NO_THROW(with([](JointSamples&) {})());
  EXPECT_THAT(with([](JointSamples& s) { s.values[5 * 4 + 2] = NAN; }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s.values[0] = INFINITY; }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s.count = {40, 0}; }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s.values.pop_back(); }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s.count.push_back(1); }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s.temperatures = {1.0, 0.9}; }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s.temperatures = {-1.0, 0.9}; }), Fails());
  EXPECT_THAT(with([](JointSamples& s) { s = {}; }), Fails());

  const auto with_full = [&](SlotAverages full) {
    return [=] { (void)reweight(good, ising_quantities(), std::vector{0.95}, &full); };
  };
  EXPECT_THAT(with_full({{0.9, 1.0}, {"overlap_2"}, {0.5, NAN}}), Fails());
  EXPECT_THAT(with_full({{0.9, 1.0}, {"overlap_2"}, {0.5}}), Fails());
  EXPECT_THAT(with_full({{0.9, 1.1}, {"overlap_2"}, {0.5, 0.5}}), Fails());
}

TEST(JointSamples, AreGatheredFromRoundsSlotBySlot) {
  const SampledQuantities quantities({"energy_of_copy_1", "energy_of_copy_2"}, 8.0);
  const std::vector<float> first = {1, 2, 3, 4, 5, 6, 7, 8}, second = {9, 10, 11, 12};
  const StoredSamples rounds[] = {{first, 2}, {{}, 0}, {second, 1}};
  const JointSamples samples = gather({0.5, 0.6}, quantities, rounds);
  EXPECT_EQ(samples.temperatures, (std::vector{0.5, 0.6}));
  EXPECT_EQ(samples.count, (std::vector<std::size_t>{3, 3}));
  EXPECT_EQ(samples.values, (std::vector<float>{1, 2, 3, 4, 9, 10, 5, 6, 7, 8, 11, 12}));
  EXPECT_NO_THROW(check(samples, quantities));

  const StoredSamples wrong[] = {{first, 1}};
  EXPECT_THAT([&] { (void)gather({0.5, 0.6}, quantities, wrong); }, Fails());
  EXPECT_THAT([&] { check(gather({0.5, 0.6}, quantities, {}), quantities); }, Fails());
}

TEST(SampledQuantities, AddTheEnergiesOfAllCopies) {
  const SampledQuantities quantities({"energy_of_copy_2", "x", "energy_of_copy_1", "energy_of_copy_3"}, 10.0);
  const std::vector<float> sample = {2.0F, 7.0F, 1.0F, 4.0F};
  EXPECT_DOUBLE_EQ(quantities.total_energy(sample), 70.0);
  std::vector<double> sums(7, 1.0);
  quantities.add_to(sums, sample);
  EXPECT_THAT(sums, ::testing::ElementsAre(3.0, 8.0, 2.0, 5.0, 1.0 + 7.0 / 3.0, 8.0, 1.0 + (2.0 + 4.0 + 8.0) / 3.0));
}

TEST(SampledQuantities, RefuseForeignNames) {
  EXPECT_THAT([] { SampledQuantities({"energy_of_copy_2", "x"}, 8.0); }, Fails());
  const auto of_two_copies = [](std::vector<std::string> names) {
    SampledQuantities(Config{}, {.L = 2, .temperatures = {}, .observables = {}, .samples = std::move(names)});
  };
  EXPECT_THAT([&] { of_two_copies({"energy_of_copy_1", "x"}); }, Fails());
  EXPECT_THAT([] { SampledQuantities({"energy_of_copy_1", "energy_of_copy_2", "x", "x"}, 8.0); }, Fails());
  EXPECT_THAT([] { (void)ising_quantities()["no such"]; }, Fails());
}

}}  // namespace glassworks

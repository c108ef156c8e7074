#include "analysis/reweighting/slot_interpolation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "tests/analysis/reweighting/exact_ising.hpp"
#include "tests/refusals.hpp"

namespace glassworks { namespace {

std::vector<double> from_betas(std::vector<double> betas) {
  for (double& beta : betas) beta = 1.0 / beta;
  return betas;
}

SlotAverages sampled(const std::vector<double>& temperatures, const std::function<double(double beta)>& f) {
  SlotAverages slots{temperatures, {"x"}, {}};
  for (const double T : temperatures) slots.values.push_back(f(1.0 / T));
  return slots;
}

double largest_error(std::size_t slots, const std::function<double(double)>& f, double* largest_difference = nullptr) {
  std::vector<double> betas, wanted;
  for (std::size_t k = 0; k < slots; ++k)
    betas.push_back(2.0 - static_cast<double>(k) / static_cast<double>(slots - 1));
  for (int i = 0; i <= 200; ++i) wanted.push_back(2.0 - i / 200.0);
  const Interpolated r = interpolate_slots(sampled(from_betas(betas), f), 1.0, from_betas(wanted));
  double error = 0.0;
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    error = std::max(error, std::abs(r.values[t] - f(wanted[t])));
    if (largest_difference != nullptr) *largest_difference = std::max(*largest_difference, std::abs(r.difference[t]));
  }
  return error;
}

TEST(SlotInterpolation, ReproducesParabolasInBetaAndTheSlots) {
  const auto parabola = [](double beta) { return 2.0 - 3.0 * beta + 0.7 * beta * beta; };
  for (const std::size_t slots : {3U, 4U, 9U}) EXPECT_LT(largest_error(slots, parabola), 1e-12) << slots;
  EXPECT_LT(largest_error(2, [](double beta) { return 1.0 - 4.0 * beta; }), 1e-13);

  const std::vector<double> temperatures = {0.3, 0.4, 0.6, 1.0};
  const SlotAverages slots = sampled(temperatures, [](double beta) { return std::sin(40.0 * beta); });
  const Interpolated at_slots = interpolate_slots(slots, 1.0, temperatures);
  EXPECT_EQ(at_slots.values, slots.values);
  for (const double d : at_slots.difference) EXPECT_EQ(d, 0.0);
}

TEST(SlotInterpolation, HasNoKinks) {
  for (const std::size_t slots : {4U, 5U, 8U}) {
    std::vector<double> betas;
    for (std::size_t k = 0; k < slots; ++k)
      betas.push_back(3.0 - 0.3 * static_cast<double>(k) + 0.02 * static_cast<double>(k * k));
    const SlotAverages averages = sampled(from_betas(betas), [](double beta) { return std::sin(9.0 * beta); });
    double steepest = 0.0;
    for (std::size_t k = 1; k + 1 < slots; ++k) {
      const double h = 1e-6;
      const Interpolated r = interpolate_slots(averages, 1.0, from_betas({betas[k] - h, betas[k], betas[k] + h}));
      const double below = (r.values[1] - r.values[0]) / h, above = (r.values[2] - r.values[1]) / h;
      EXPECT_NEAR(below, above, 1e-3) << k;
      steepest = std::max(steepest, std::abs(above));
    }
    EXPECT_GT(steepest, 1.0);  // a kink would be of this size
  }
}

// Slopes of parabolas are of second order in the spacing h, the curve is of third order: 8 times less at h/2.
TEST(SlotInterpolation, ErrorFallsWithTheThirdPowerAndIsEstimated) {
  const auto f = [](double beta) { return std::exp(-2.0 * beta) * std::cos(3.0 * beta); };
  double difference = 0.0;
  const double coarse = largest_error(9, f, &difference), fine = largest_error(17, f);
  EXPECT_GT(coarse / fine, 6.0);
  EXPECT_LT(coarse / fine, 10.0);
  EXPECT_GT(difference, coarse);
}

TEST(SlotInterpolation, EnergyTakesItsSlopeFromItsVariance) {
  // e cubic in beta, -N (e2 - ee) = de/dbeta: the Hermite cubic is exact, also between two slots only.
  const double sites = 512.0;
  const auto e = [](double beta) { return -1.0 - 0.5 * beta + 0.3 * beta * beta - 0.1 * beta * beta * beta; };
  const auto slope = [](double beta) { return -0.5 + 0.6 * beta - 0.3 * beta * beta; };
  for (const std::vector<double>& betas : {std::vector{3.0, 1.0}, std::vector{3.0, 2.2, 1.9, 1.0}}) {
    SlotAverages slots{from_betas(betas), {"energy_product", "x", "energy", "energy_squared"}, {}};
    for (const double beta : betas) {
      slots.values.insert(slots.values.end(),
                          {e(beta) * e(beta), e(beta), e(beta), e(beta) * e(beta) - slope(beta) / sites});
    }
    const std::vector<double> wanted = {2.9, 2.4, 2.0, 1.95, 1.2};
    const Interpolated r = interpolate_slots(slots, sites, from_betas(wanted));
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      EXPECT_NEAR(r.values[t * 4 + 2], e(wanted[t]), 1e-12) << wanted[t];
      // Column x has the same values, but no known slope: the next lower order.
      EXPECT_NEAR(r.difference[t * 4 + 2], r.values[t * 4 + 2] - r.values[t * 4 + 1], 1e-13);
      EXPECT_GT(std::abs(r.difference[t * 4 + 2]), 1e-6);
    }
  }
}

TEST(SlotInterpolation, AgreesWithEnumerationWithinItsOwnEstimate) {
  const auto& ising = testing::exact_ising();
  const std::vector<double> ladder = {0.5, 0.6, 0.72, 0.87, 1.05, 1.25, 1.5},
                            wanted = {0.55, 0.66, 0.8, 0.95, 1.15, 1.35};
  const std::vector<std::string> columns = {"energy", "energy_squared", "energy_product", "overlap_2"};
  SlotAverages slots{ladder, columns, {}};
  for (const double T : ladder) {
    const auto exact = ising.averages(T);
    for (const std::string& column : columns) slots.values.push_back(exact.at(column));
  }
  const Interpolated r = interpolate_slots(slots, testing::ExactIsing::sites, wanted);
  std::vector<std::map<std::string, double>> exact;
  for (const double T : wanted) exact.push_back(ising.averages(T));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double error = 0.0, difference = 0.0;  // the largest: the difference alone passes through 0 here and there
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      error = std::max(error, std::abs(r.values[t * 4 + c] - exact[t].at(columns[c])));
      difference = std::max(difference, std::abs(r.difference[t * 4 + c]));
    }
    EXPECT_LT(error, difference) << columns[c];
    EXPECT_LT(difference, 0.01) << columns[c];
  }
}

TEST(SlotInterpolation, OfAnEnsembleIsThatOfEachRealization) {
  const std::vector<double> ladder = {0.5, 0.6, 0.8, 1.0}, wanted = {0.5, 0.55, 0.7, 0.9};
  Ensemble slots{8, ladder, {"energy", "energy_squared", "energy_product"}, {4, 9}, {}};
  for (int i = 0; i < 24; ++i) slots.values.push_back(std::sin(1.7 * i));
  const InterpolatedEnsemble all = interpolate_slots(slots, 512.0, wanted);
  EXPECT_EQ(all.ensemble.L, 8);
  EXPECT_EQ(all.ensemble.temperatures, wanted);
  EXPECT_EQ(all.ensemble.columns, slots.columns);
  EXPECT_EQ(all.ensemble.realizations, slots.realizations);
  std::vector<double> difference(12, 0.0);
  for (std::size_t r = 0; r < 2; ++r) {
    const auto first = slots.values.begin() + static_cast<std::ptrdiff_t>(12 * r);
    const Interpolated one = interpolate_slots({ladder, slots.columns, {first, first + 12}}, 512.0, wanted);
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(all.ensemble.values[12 * r + i], one.values[i]);
      difference[i] += one.difference[i] / 2.0;
    }
  }
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(all.difference[i], difference[i], 1e-12);
}

TEST(SlotInterpolation, RefusesWhatItCannotDoInOneSentence) {
  const SlotAverages slots = sampled({0.5, 1.0}, [](double beta) { return beta; });
  EXPECT_THAT([&] { (void)interpolate_slots(slots, 1.0, std::vector{1.01}); }, Fails());
  const SlotAverages one = sampled({0.5}, [](double beta) { return beta; });
  EXPECT_DOUBLE_EQ(interpolate_slots(one, 1.0, std::vector{0.5}).values[0], 2.0);
  EXPECT_THAT([&] { (void)interpolate_slots(one, 1.0, std::vector{0.6}); }, Fails());
  SlotAverages bad = slots;
  bad.values[1] = NAN;
  EXPECT_THAT([&] { (void)interpolate_slots(bad, 1.0, std::vector{0.7}); }, Fails());
}

}}  // namespace glassworks

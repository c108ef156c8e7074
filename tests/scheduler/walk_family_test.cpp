#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "scheduler/convergence/walk_times.hpp"
#include "tests/scheduler/ladder_walk.hpp"

namespace glassworks { namespace {

using testing::LadderWalk;
using testing::walk_functions_at;

using testing::cholesky;
using testing::WalkMatrix;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// A walk over a ladder in which neighbours t, t+1 change places with probability hop[t]: its exact times. With the
/// transition matrix P and g = (1 - P)^-1 f, tau_int(f) = (f.g - f.f/2) / f.f.
class ExactWalk {
 public:
  explicit ExactWalk(Vector hop) : hop_(std::move(hop)), slots_(static_cast<int>(hop_.size()) + 1) {}

  [[nodiscard]] double tau(const Vector& f) const { return weight(f, f) / dot(f, f); }
  [[nodiscard]] double largest_single_tau() const {
    double largest = 0.0;
    for (std::size_t k = 0; k < walk_functions; ++k) largest = std::max(largest, tau(function(k)));
    return largest;
  }
  /// The largest of all sums of the test functions, T w = tau V w, by powers of V^-1 T.
  [[nodiscard]] double largest_tau() const {
    WalkMatrix T{};
    for (std::size_t k = 0; k < walk_functions; ++k) {
      for (std::size_t l = 0; l < walk_functions; ++l) T[k][l] = weight(function(k), function(l)) / slots_;
    }
    const WalkMatrix C = cholesky(testing::walk_covariance_of(slots_));
    std::array<double, walk_functions> w{1.0, 0.3, 0.2}, y{};
    double tau = 0.0;
    for (int step = 0; step < 500; ++step) {
      for (std::size_t k = 0; k < y.size(); ++k) y[k] = T[k][0] * w[0] + T[k][1] * w[1] + T[k][2] * w[2];
      for (std::size_t k = 0; k < y.size(); ++k) {  // C C^t w = T w
        for (std::size_t m = 0; m < k; ++m) y[k] -= C[k][m] * y[m];
        y[k] /= C[k][k];
      }
      for (std::size_t k = y.size(); k-- > 0;) {
        for (std::size_t m = k + 1; m < y.size(); ++m) y[k] -= C[m][k] * y[m];
        y[k] /= C[k][k];
      }
      tau = std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
      for (std::size_t k = 0; k < y.size(); ++k) w[k] = y[k] / tau;
    }
    return tau;
  }
  /// -1 / ln of the second eigenvalue of P, by powers of (1 - P)^-1.
  [[nodiscard]] double tau_exp() const {
    Vector f = function(0);
    f[0] += 0.1, f[1] -= 0.1;
    double inverse = 0.0;
    for (int step = 0; step < 200; ++step) {
      const Vector g = solved(f);
      inverse = std::sqrt(dot(g, g) / dot(f, f));
      const double norm = std::sqrt(dot(g, g));
      for (std::size_t s = 0; s < f.size(); ++s) f[s] = g[s] / norm;
    }
    return -1.0 / std::log(1.0 - 1.0 / inverse);
  }

 private:
  [[nodiscard]] Vector function(std::size_t k) const {
    Vector f;
    for (int s = 0; s < slots_; ++s) f.push_back(walk_functions_at(s, slots_)[k]);
    return f;
  }
  /// (1 - P)^-1 f of mean 0: hop_t (g_t - g_{t+1}) = sum_{s <= t} f_s.
  [[nodiscard]] Vector solved(const Vector& f) const {
    Vector g{0.0};
    double flux = 0.0, mean = 0.0;
    for (std::size_t t = 0; t < hop_.size(); ++t) {
      flux += f[t];
      g.push_back(g.back() - flux / hop_[t]);
    }
    for (const double x : g) mean += x / slots_;
    for (double& x : g) x -= mean;
    return g;
  }
  [[nodiscard]] double weight(const Vector& a, const Vector& b) const { return dot(a, solved(b)) - 0.5 * dot(a, b); }

  Vector hop_;
  int slots_;
};

TEST(SlowestFunction, SumsOfTheTestFunctionsComeCloserToTheExponentialTimeThanEachOfThem) {
  constexpr int slots = 24;
  double worst_sum = 1.0, worst_single = 1.0;
  for (int narrow = 0; narrow + 1 < slots; ++narrow) {  // a bottleneck between two slots
    std::vector<double> hop(slots - 1, 0.3);
    hop[static_cast<std::size_t>(narrow)] = 0.003;
    const ExactWalk walk(hop);
    worst_sum = std::min(worst_sum, walk.largest_tau() / walk.tau_exp());
    worst_single = std::min(worst_single, walk.largest_single_tau() / walk.tau_exp());
    EXPECT_GE(walk.largest_tau(), walk.largest_single_tau() * (1.0 - 1e-12));
    EXPECT_LE(walk.largest_tau(), 1.001 * (walk.tau_exp() + 0.5)) << "a lower bound";
    RecordProperty(fmt::format("of_sum_{}", narrow), fmt::format("{:.3f}", walk.largest_tau() / walk.tau_exp()));
  }
  EXPECT_GT(worst_sum, worst_single);
  RecordProperty("worst_sum", fmt::format("{:.3f}", worst_sum));
  RecordProperty("worst_single", fmt::format("{:.3f}", worst_single));
  EXPECT_GT(worst_sum, 0.4) << worst_single;
  const ExactWalk free(std::vector<double>(slots - 1, 0.3));
  EXPECT_GT(free.largest_tau(), 0.99 * free.tau_exp()) << "without a bottleneck";
}

/// The free walk of 8 slots has tau_int = 0.5 (1 + l)/(1 - l) = 21.4 of its slowest eigenvector at hop 0.3.
TEST(SlowestFunction, FindsTheTimesOfAKnownWalk) {
  constexpr int slots = 8, measurements = 5;
  constexpr double hop = 0.3;
  const ExactWalk exact(std::vector<double>(slots - 1, hop));
  LadderWalk walk(slots, 60, hop, 11);
  const std::vector<RoundRow> rounds = walk.rounds(512, measurements);
  const WalkTimes times = walk_times_of_family(rounds, slots);
  ASSERT_TRUE(times.slowest_function);
  EXPECT_TRUE(times.slowest_function->time.resolved);
  // 60 replicas of 112 tau each: 2 % standard error; fixed seed.
  EXPECT_NEAR(times.slowest_function->time.tau, exact.largest_tau(), 0.08 * exact.largest_tau());
  EXPECT_NEAR(times.slowest_function->tau_exp.value_or(0.0), exact.tau_exp(), 0.1 * exact.tau_exp());
  EXPECT_EQ(times.tau().tau, times.slowest_function->time.tau);
  for (std::size_t f = 0; f < walk_functions; ++f) {
    EXPECT_NEAR(times.of_all[f].tau, walk_times(rounds, slots).of_all[f].tau, 0.05 * times.of_all[f].tau);
    EXPECT_LE(times.of_all[f].tau, 1.03 * times.slowest_function->time.tau) << "windows differ";
  }
}

TEST(SlowestFunction, SmallLaddersHaveFewerIndependentFunctions) {
  for (const int slots : {2, 3, 4}) {
    LadderWalk walk(slots, 20, 0.2, 3);
    const WalkTimes times = walk_times_of_family(walk.rounds(64, 50), slots);
    ASSERT_TRUE(times.slowest_function);
    double variance = 0.0;
    for (int s = 0; s < slots; ++s) {
      double f = 0.0;
      for (std::size_t k = 0; k < walk_functions; ++k) {
        f += times.slowest_function->weights[k] * walk_functions_at(s, slots)[k];
      }
      variance += f * f / slots;
    }
    EXPECT_NEAR(variance, 1.0, 1e-9) << slots;
    EXPECT_TRUE(times.slowest_function->time.resolved);
  }
  EXPECT_FALSE(walk_times_of_family(LadderWalk(1, 2, 0.2, 3).rounds(8, 5), 1).slowest_function);
}

TEST(SlowestFunction, AWalkThatStandsStillIsNotResolved) {
  std::vector<RoundRow> rounds = LadderWalk(4, 8, 0.2, 3).rounds(32, 50);
  for (RoundRow& row : rounds) row.record.walk_mean = rounds.front().record.walk_mean;
  const WalkTimes times = walk_times_of_family(rounds, 4);
  EXPECT_FALSE(times.tau().resolved);
  EXPECT_FALSE(times.slowest_function->tau_exp) << "nothing decays";
}

}}  // namespace glassworks

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "scheduler/walk_times.hpp"
#include "tests/scheduler/ladder_walk.hpp"

namespace glassworks {
namespace {

using testing::LadderWalk;
using testing::walk_functions_at;

/// A walk over a ladder in which neighbours t, t+1 change places with probability hop[t]: its times from the
/// eigenvectors of its transition matrix.
class ExactWalk {
 public:
  explicit ExactWalk(const std::vector<double>& hop) : slots_(static_cast<int>(hop.size()) + 1) {
    Eigen::MatrixXd P = Eigen::MatrixXd::Identity(slots_, slots_);
    for (int t = 0; t + 1 < slots_; ++t) {
      const double p = hop[static_cast<std::size_t>(t)];
      P(t, t) -= p, P(t + 1, t + 1) -= p, P(t, t + 1) += p, P(t + 1, t) += p;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(P);
    eigenvalues_ = solver.eigenvalues();
    vectors_ = solver.eigenvectors();
  }

  [[nodiscard]] double tau_exp() const { return -1.0 / std::log(eigenvalues_[slots_ - 2]); }
  /// tau_int of a function of the slot with mean 0.
  [[nodiscard]] double tau(const Eigen::VectorXd& f) const {
    double weight = 0.0, sum = 0.0;
    for (int k = 0; k + 1 < slots_; ++k) {
      const double amplitude = std::pow(vectors_.col(k).dot(f), 2), lambda = eigenvalues_[k];
      weight += amplitude, sum += amplitude * 0.5 * (1.0 + lambda) / (1.0 - lambda);
    }
    return sum / weight;
  }
  /// The largest of the sums of the test functions: the largest eigenvalue of F^t T F v = tau F^t F v.
  [[nodiscard]] double largest_tau() const {
    Eigen::MatrixXd F(slots_, walk_functions), T = Eigen::MatrixXd::Zero(slots_, slots_);
    for (int s = 0; s < slots_; ++s) {
      for (std::size_t k = 0; k < walk_functions; ++k) {
        F(s, static_cast<Eigen::Index>(k)) = walk_functions_at(s, slots_)[k];
      }
    }
    for (int k = 0; k + 1 < slots_; ++k) {
      const double lambda = eigenvalues_[k];
      T += 0.5 * (1.0 + lambda) / (1.0 - lambda) * vectors_.col(k) * vectors_.col(k).transpose();
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(F.transpose() * T * F, F.transpose() * F);
    return solver.eigenvalues()[walk_functions - 1];
  }
  [[nodiscard]] double largest_single_tau() const {
    double largest = 0.0;
    for (std::size_t k = 0; k < walk_functions; ++k) {
      Eigen::VectorXd f(slots_);
      for (int s = 0; s < slots_; ++s) f[s] = walk_functions_at(s, slots_)[k];
      largest = std::max(largest, tau(f));
    }
    return largest;
  }

 private:
  int slots_;
  Eigen::VectorXd eigenvalues_;
  Eigen::MatrixXd vectors_;
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

}  // namespace
}  // namespace glassworks

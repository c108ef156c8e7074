#include "scheduler/convergence/series_times.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "scheduler/convergence/convergence.hpp"
#include "tests/bin_places.hpp"
#include "tests/db/other_columns.hpp"

/// Decisions about chains without exchanges between their slots.
namespace glassworks { namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// x_{t+1} = a x_t + noise: tau_int = 1/2 (1 + a)/(1 - a).
class Ar1 {
 public:
  Ar1(double tau, unsigned seed) : a_((2.0 * tau - 1.0) / (2.0 * tau + 1.0)), random_(seed) {
    for (int i = 0; i < 1000; ++i) next();
  }
  double next() {
    x_ = a_ * x_ + std::sqrt(1.0 - a_ * a_) * uniform();
    return x_;
  }
  double mean_of(int measurements) {
    double sum = 0.0;
    for (int i = 0; i < measurements; ++i) sum += next();
    return sum / measurements;
  }

 private:
  double uniform() { return (static_cast<double>(random_()) / 4294967296.0 - 0.5) * std::sqrt(12.0); }

  double a_, x_ = 0.0;
  std::mt19937 random_;
};

TEST(CentredTime, FollowsItsFormula) {
  // Mean 0, c(0) = 1, c(1) = -1/7, ...: independent or anticorrelated rounds have the least time.
  const std::vector<double> alternating = {1, -1, 1, -1, 1, -1, 1, -1};
  EXPECT_EQ(centred_time(alternating, 10.0), (WalkTime{5.0, true}));
  // Mean 1/2, c(0) = 1/4, c(1) = 5/28, c(2) = 1/12, then negative: 4 of 8 entries are no window for so long a time.
  const std::vector<double> step = {1, 1, 1, 1, 0, 0, 0, 0};
  const WalkTime time = centred_time(step, 10.0);
  EXPECT_FALSE(time.resolved);
  EXPECT_NEAR(time.tau, 10.0 * (0.5 + 4.0 * (5.0 / 28.0 + 1.0 / 12.0)), 1e-12);
}

TEST(CentredTime, KnowsNoMean) {
  Ar1 process(3.0, 1);
  std::vector<double> series, shifted;
  for (int i = 0; i < 500; ++i) {
    series.push_back(process.next());
    shifted.push_back(series.back() + 100.0);
  }
  EXPECT_NEAR(centred_time(series, 1.0).tau, centred_time(shifted, 1.0).tau, 1e-9);
}

TEST(CentredTime, OfAConstantIsNotResolved) {
  EXPECT_EQ(centred_time(std::vector<double>(16, -2.0), 100.0), (WalkTime{50.0, false})) << "not moving shows no time";
  EXPECT_FALSE(centred_time(std::vector<double>(16, -0.1), 100.0).resolved) << "the mean is rounded";
  EXPECT_FALSE(centred_time(std::vector<double>(1, -2.0), 100.0).resolved) << "one round tells nothing";
}

// The relative standard deviation of tau is sqrt(2 (2 W + 1)/n) < 7 % for W = 6 tau = 120, n = 1e5: at 28 % all checks
// together fail with probability below 2e-4. Round means are an upper bound for times below a round.
TEST(StatisticsCentredTime, IsThatOfAnAutoregressiveProcess) {
  for (const double tau : {5.0, 20.0}) {
    Ar1 process(tau, 2);
    std::vector<double> single, rounds;
    for (int i = 0; i < 100'000; ++i) single.push_back(process.next());
    const WalkTime time = centred_time(single, 1.0);
    EXPECT_TRUE(time.resolved);
    EXPECT_NEAR(time.tau / tau, 1.0, 0.28);
    for (int i = 0; i < 4000; ++i) rounds.push_back(process.mean_of(100));
    EXPECT_GE(centred_time(rounds, 100.0).tau, 50.0);
    EXPECT_LE(centred_time(rounds, 100.0).tau, 100.0);
  }
}

class IndependentSlots : public ::testing::Test {
 protected:
  static constexpr int slots = 2, measurements = 100;
  const ChainObservables observables_{BinLayout({.kind = ModelKind::ising, .components = 1}, 2, 1)};
  ConvergenceConfig config_{
      .min_rounds = 16, .max_rounds = 400, .min_round_trips = 10, .n_tau = 20.0, .equilibration_tau = 10.0};

  /// tau: of every observable but the energy of slot 1, which has that of `slow`; in rounds.
  [[nodiscard]] std::vector<RoundRow> rows(std::size_t rounds, double slow, std::uint64_t attempts = 0) const {
    Ar1 quick(0.6, 3), slowly(slow, 4);
    std::vector<RoundRow> list(rounds);
    for (std::size_t r = 0; r < rounds; ++r) {
      RoundRecord& record = list[r].record;
      list[r].round = static_cast<std::uint32_t>(r);
      record.measurements = measurements;
      for (int i = 0; i < slots * observables_.size(); ++i) record.mean.push_back(quick.next());
      record.mean[static_cast<std::size_t>(observables_.size())] = slowly.next();
      record.exchange_attempts = {attempts};
      record.exchange_accepted = {attempts};
      record.walk_mean.assign(slots * walk_functions, 0.1);
      record.round_trips.assign(slots, 0);
    }
    return list;
  }
};

TEST_F(IndependentSlots, AreToldByTheirExchanges) {
  EXPECT_TRUE(has_independent_slots(rows(8, 1.0), observables_));
  EXPECT_FALSE(has_independent_slots(rows(8, 1.0, 50), observables_));
  EXPECT_FALSE(has_independent_slots(rows(8, 1.0), ChainObservables(BinLayout(SpinModel{}, 3, 2))));
  EXPECT_TRUE(examine(rows(16, 1.0), slots, observables_, 0).series.exist());
  EXPECT_FALSE(examine(rows(16, 1.0), slots, observables_, 0).walk.exist());
  EXPECT_TRUE(examine(rows(16, 1.0, 50), slots, observables_, 0).walk.exist());
}

TEST_F(IndependentSlots, TheSlowestObservableDecides) {
  const Evidence e = examine(rows(1100, 3.0), slots, observables_, 0);
  EXPECT_EQ(e.series.entries.size(), 6U) << "energy, |m|, m^2 in two slots";
  EXPECT_EQ(e.series.first_round, 137U);
  EXPECT_STREQ(e.series.longest().observable, "energy");
  EXPECT_EQ(e.series.longest().slot, 1);
  EXPECT_TRUE(e.tau().resolved);
  EXPECT_NEAR(e.tau().tau, 300.0, 150.0);
}

TEST_F(IndependentSlots, ConvergeWithoutRoundTrips) {
  const Decision decision = decide(config_, rows(320, 0.6), slots, observables_, 0);
  EXPECT_EQ(decision.status, RealizationStatus::converged) << decision.reason;
  EXPECT_THAT(decision.reason, AllOf(HasSubstr("(20 tau needed)"), Not(HasSubstr("round trips"))));
  EXPECT_GE(decision.judgement.tau, 50.0);
}

TEST_F(IndependentSlots, GoOnWhereHistoriesAreShort) {
  const Decision decision = decide(config_, rows(64, 12.0), slots, observables_, 0);
  EXPECT_EQ(decision.status, RealizationStatus::equilibrating) << decision.reason;
  EXPECT_GT(decision.judgement.expected_rounds, 64U);
  EXPECT_THAT(decision.reason, HasSubstr("for energy in slot 1"));
}

/// Frozen states of a ferromagnet, each with its own domain walls, are constant: nothing tells them from the truth.
TEST_F(IndependentSlots, ThatDoNotMoveAreNotConverged) {
  std::vector<RoundRow> list = rows(320, 0.6);
  const auto set = [&](int slot, int observable, double value) {
    for (RoundRow& row : list)
      row.record.mean[static_cast<std::size_t>(slot * observables_.size() + observable)] = value;
  };
  set(0, test::Moments::energy, -1.75);
  const Decision frozen = decide(config_, list, slots, observables_, 0);
  EXPECT_EQ(frozen.status, RealizationStatus::equilibrating);
  EXPECT_THAT(frozen.reason, HasSubstr("energy never changes in slot 0"));
  config_.n_tau = 0.0;
  EXPECT_NE(decide(config_, list, slots, observables_, 0).status, RealizationStatus::converged)
      << "whatever is demanded";

  set(0, test::Moments::energy, 0.0);
  EXPECT_EQ(decide(config_, list, slots, observables_, 0).status, RealizationStatus::converged)
      << "sites without bonds";
  set(1, test::Moments::magnetization_2, 1.0);
  EXPECT_THAT(decide(config_, list, slots, observables_, 0).reason, HasSubstr("m^2 never changes in slot 1"));
}

TEST_F(IndependentSlots, CoupledByExchangesOnlyTheHottestHasToMove) {
  std::vector<RoundRow> list = rows(320, 0.6, 50);
  const auto frozen = [&] { return examine(list, slots, observables_, 100).frozen; };
  for (RoundRow& row : list) row.record.mean[test::Moments::energy] = -2.0;
  EXPECT_FALSE(frozen().has_value()) << "a ground state";
  for (RoundRow& row : list) row.record.mean[static_cast<std::size_t>(observables_.size())] = -1.75;
  ASSERT_TRUE(frozen().has_value());
  EXPECT_EQ(frozen()->slot, 1);
}

/// Bins of another version: fewer observables, in other places.
TEST_F(IndependentSlots, ColumnsAreFoundByTheirStoredNames) {
  const std::vector<RoundRow> own = rows(320, 3.0);
  const std::vector<std::string> names = observables_.names();
  std::vector<std::string> stored{"of another version"};
  for (std::size_t i = names.size(); i-- > 0;) {
    if (names[i] != names[test::Moments::largest_cluster]) stored.push_back(names[i]);
  }
  const auto stored_rounds = [&](std::vector<RoundRow> list) {
    for (RoundRow& row : list) row.record.mean = testing::with_columns(row.record.mean, names, stored);
    return list;
  };
  const std::vector<RoundRow> other = stored_rounds(own);
  const ChainObservables by_name(observables_.layout(), stored);
  EXPECT_EQ(by_name.names(), stored);
  const Decision expected = decide(config_, own, slots, observables_, 0);
  EXPECT_EQ(decide(config_, other, slots, by_name, 0).reason, expected.reason);
  EXPECT_EQ(decide(config_, other, slots, by_name, 0).judgement, expected.judgement);
  EXPECT_EQ(by_name.energy_of_copy(1), std::nullopt);
  EXPECT_THROW(ChainObservables(observables_.layout(), {"something"}), std::runtime_error);
  EXPECT_THROW(ChainObservables(observables_.layout(), std::vector<std::string>()), std::runtime_error);

  std::vector<RoundRow> without_bonds = own;
  for (RoundRow& row : without_bonds) {
    for (int slot = 0; slot < slots; ++slot) row.record.mean[static_cast<std::size_t>(slot) * names.size()] = 0.0;
  }
  EXPECT_EQ(decide(config_, stored_rounds(without_bonds), slots, by_name, 0).reason,
            decide(config_, without_bonds, slots, observables_, 0).reason)
      << "an energy of 0 shows no time";
}

TEST_F(IndependentSlots, CopiesThatDisagreeAreNotConverged) {
  const ChainObservables pairs(BinLayout({ModelKind::ising}, 2, 2));
  const auto history = [&](double difference) {
    Ar1 noise(0.5, 9);
    std::vector<RoundRow> list(320);
    for (std::size_t r = 0; r < list.size(); ++r) {
      RoundRecord& record = list[r].record;
      list[r].round = static_cast<std::uint32_t>(r);
      record.measurements = 100;
      for (int i = 0; i < pairs.size(); ++i) record.mean.push_back(noise.next());
      record.mean[static_cast<std::size_t>(pairs.energy_of_copy(1).value())] += difference;
      record.round_trips.assign(2, 0);
      record.walk_mean.assign(2 * walk_functions, 0.0);
    }
    return list;
  };
  EXPECT_EQ(decide(config_, history(0.0), 1, pairs, 0).status, RealizationStatus::converged);
  const Decision apart = decide(config_, history(2.0), 1, pairs, 0);
  EXPECT_EQ(apart.status, RealizationStatus::equilibrating);
  EXPECT_THAT(apart.reason, HasSubstr("copies 1 and 2 disagree"));
}

// 2000 histories of two copies in three slots; the false-alarm rate is at most 1 % (Bonferroni), so that 40 or more
// have probability 5e-5.
TEST(StatisticsCopyTest, FalseAlarmsAreAsRareAsStated) {
  Ar1 noise(0.5, 10);
  int alarms = 0;
  for (int history = 0; history < 2000; ++history) {
    std::vector<NamedMeans> copies(2);
    for (NamedMeans& copy : copies) {
      copy.observable = "energy";
      for (int r = 0; r < 64; ++r) copy.means.push_back({noise.next(), noise.next(), noise.next()});
    }
    const LogBinningTest bins = log_binning(copies, 1.0);
    alarms += compare_copies(copies, bins).agrees() ? 0 : 1;
  }
  EXPECT_LT(alarms, 40);
  EXPECT_GT(alarms, 0) << "the limit is not out of reach";
}

TEST_F(IndependentSlots, TheLogBinningTestLooksAtTheMagnetization) {
  std::vector<RoundRow> list = rows(64, 0.6);
  for (std::size_t r = 32; r < 64; ++r) list[r].record.mean[test::Moments::magnetization_2] += 20.0;
  const Decision decision = decide(config_, list, slots, observables_, 0);
  EXPECT_EQ(decision.status, RealizationStatus::equilibrating);
  EXPECT_FALSE(examine(list, slots, observables_, 0).log_binning.agrees());
  EXPECT_EQ(examine(list, slots, observables_, 0).log_binning.worst().observable, "m^2");
}

}}  // namespace glassworks

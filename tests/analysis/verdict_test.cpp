#include "analysis/averages/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "tests/analysis/fake_campaign.hpp"

namespace glassworks { namespace {

using ::testing::HasSubstr;

/// What is planted into the noise of a campaign of `realizations` at three temperatures.
struct Plant {
  double energy_drift = 0.0;   ///< added to the energy of a round in the second quarter of the history
  double overlap_drift = 0.0;  ///< the same for |q|^2
  double identity = 0.0;       ///< added to the bond energy
  double chiral_drift = 0.0;   ///< added to |q_c|^2 as energy_drift; 0: there is no chirality
  double kmin_drift = 0.0;     ///< the same of the overlap at k_min
  int realizations = 40;
  std::uint32_t rounds = 16;
};

class Campaign {
 public:
  explicit Campaign(std::uint64_t seed) : engine_(seed) {}

  Verdict verdict(const Plant& plant, int unconverged = 0) {
    const Columns columns(testing::stored_names(), 3);
    std::vector<RealizationSummary> realizations;
    for (int r = 0; r < plant.realizations; ++r) {
      std::vector<RoundRow> rounds;
      for (std::uint32_t n = 0; n < plant.rounds; ++n) {
        const bool early = n >= plant.rounds / 4 && n < plant.rounds / 2;
        rounds.push_back(testing::fake_round(n, 3, [&](int slot, const std::string& name) {
          if (name == "energy") return -1.5 + 0.1 * slot + 0.01 * gauss() + (early ? plant.energy_drift : 0.0);
          if (name == "overlap_k(0,0,0)") return 0.3 + 0.01 * gauss() + (early ? plant.overlap_drift : 0.0);
          if (name == "bond_energy") return 0.01 * gauss() + plant.identity;
          if (name == "chiral_zero" && plant.chiral_drift != 0.0) {
            return 0.1 + 0.01 * gauss() + (early ? plant.chiral_drift : 0.0);
          }
          if (name == "overlap_k(1,0,0)" && plant.kmin_drift != 0.0) {
            return 0.1 + 0.01 * gauss() + (early ? plant.kmin_drift : 0.0);
          }
          return 0.0;
        }));
      }
      realizations.push_back(summarize({4, static_cast<std::uint32_t>(r)}, rounds, columns, 3));
    }
    SizeResult result;
    result.L = 4;
    result.temperatures = {0.2, 0.3, 0.4};
    result.counts.total = plant.realizations;
    result.counts.unconverged_used = result.counts.reached_maximum = unconverged;
    result.counts.converged = plant.realizations - unconverged;
    reduce_size(testing::fake_config(), columns, realizations, result);
    return result.verdict;
  }

 private:
  /// Approximately N(0,1) from twelve uniforms: the same on every platform, unlike std::normal_distribution.
  double gauss() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine_() >> 11) * 0x1p-53;
    return sum;
  }
  std::mt19937_64 engine_;
};

TEST(Verdict, IsEquilibratedWithoutAnythingPlanted) {
  const Verdict v = Campaign(1).verdict({});
  EXPECT_EQ(v.state, Equilibration::equilibrated) << v.lines.front();
  EXPECT_EQ(v.comparisons, 3 + 2 * 2 * 3);  // identity; two steps of two quantities
  EXPECT_EQ(v.worst.size(), 2U);
  EXPECT_THAT(v.lines.front(), HasSubstr("equilibrated: no deviation in 15 comparisons"));
  EXPECT_THAT(v.lines[1], HasSubstr("all 40 realizations used have converged"));
}

// The difference of the last two bins has an error of about 0.01 sqrt(1/8 + 1/4)/sqrt(40) = 0.001.
TEST(Verdict, FlipsWhenADriftIsPlanted) {
  const Verdict energy = Campaign(1).verdict({.energy_drift = 0.01});
  EXPECT_EQ(energy.state, Equilibration::not_equilibrated);
  EXPECT_THAT(energy.worst.back().what, HasSubstr("energy, bins 1/"));
  EXPECT_GT(energy.worst.back().sigma, energy.worst.back().threshold);
  const Verdict overlap = Campaign(1).verdict({.overlap_drift = -0.01});
  EXPECT_EQ(overlap.state, Equilibration::not_equilibrated);
  EXPECT_THAT(overlap.worst.back().what, HasSubstr("|q|^2, bins 1/"));
  EXPECT_THAT(overlap.lines.front(), HasSubstr("not equilibrated: "));
}

TEST(Verdict, FlipsWhenOnlyTheChiralityOrTheSmallestWaveVectorDrifts) {
  const Verdict chirality = Campaign(1).verdict({.chiral_drift = 0.01});
  EXPECT_EQ(chirality.state, Equilibration::not_equilibrated);
  EXPECT_EQ(chirality.comparisons, 3 + 3 * 2 * 3);
  EXPECT_THAT(chirality.worst.back().what, HasSubstr("|q_c|^2, bins 1/"));
  EXPECT_EQ(Campaign(1).verdict({.chiral_drift = 1e-9}).state, Equilibration::equilibrated);
  const Verdict kmin = Campaign(1).verdict({.kmin_drift = 0.01});
  EXPECT_EQ(kmin.state, Equilibration::not_equilibrated);
  EXPECT_THAT(kmin.worst.back().what, HasSubstr("|q|^2 at k_min, bins 1/"));
}

TEST(Verdict, FlipsWhenTheIdentityIsBroken) {
  const Verdict v = Campaign(1).verdict({.identity = 0.005});
  EXPECT_EQ(v.state, Equilibration::not_equilibrated);
  EXPECT_EQ(v.worst.front().what, "identity difference");
  EXPECT_GT(v.worst.front().sigma, v.worst.front().threshold);
}

TEST(Verdict, SaysThatRealizationsHaveNotConverged) {
  const Verdict v = Campaign(1).verdict({}, 3);
  EXPECT_EQ(v.state, Equilibration::equilibrated_on_average);
  EXPECT_THAT(v.lines[0], HasSubstr("equilibrated on average: 3 of 40 realizations used have not converged; no dev"));
  EXPECT_THAT(v.lines[1], HasSubstr("3 of 40 realizations used have not converged"));
  EXPECT_THAT(v.lines[1], HasSubstr("37 converged, 3 reached the maximum of rounds"));
}

// Whatever the reason: all have failed, were quarantined, or none has been judged yet.
TEST(Verdict, IsUndecidedWhereNotOneRealizationHasConverged) {
  const Verdict none = Campaign(1).verdict({}, 40);
  EXPECT_EQ(none.state, Equilibration::undecided);
  EXPECT_EQ(none.reason, Undecided::none_converged);
  EXPECT_THAT(none.lines.front(), HasSubstr("undecided: none of 40 realizations has converged"));
  EXPECT_THAT(none.lines[1], HasSubstr("none of the 40 realizations used has converged"));
  const Verdict few = Campaign(1).verdict({}, 21);
  EXPECT_EQ(few.state, Equilibration::undecided);
  EXPECT_EQ(few.reason, Undecided::few_converged);
  EXPECT_THAT(few.lines.front(), HasSubstr("undecided: only 19 of 40 realizations have converged"));
  EXPECT_EQ(Campaign(1).verdict({}, 20).state, Equilibration::equilibrated_on_average);
  EXPECT_EQ(Campaign(1).verdict({.energy_drift = 0.01}, 40).state, Equilibration::not_equilibrated);
}

// Rounds of 10 measurements. With exchanges 96/7 tau resolve tau, without 12.
TEST(Verdict, CountsWhatWasNotReached) {
  ConvergenceConfig criteria;
  criteria.n_tau = 20.0;
  criteria.min_round_trips = 10;
  const auto row = [](RealizationStatus status, std::uint32_t rounds, double tau, std::uint64_t trips) {
    RealizationRow r;
    r.status = status;
    r.rounds = rounds;
    r.judgement.tau = tau;
    r.round_trips = trips;
    return r;
  };
  using S = RealizationStatus;
  const RealizationRow rows[] = {
      row(S::converged, 20, 10.0, 10), row(S::converged, 20, 0.0, 10),  // its tau is not known
      row(S::failed, 13, 10.0, 10),                                     // 13 tau
      row(S::failed, 14, 10.0, 3),                                      // 14 tau: resolved, too short
      row(S::failed, 20, 10.0, 9),     row(S::failed, 20, 10.0, 10),   row(S::equilibrating, 4, 10.0, 0)};
  const Unmet unmet = unmet_criteria(criteria, rows, 10, Slots::exchange_replicas);
  EXPECT_EQ(unmet.unresolved, 3);
  EXPECT_EQ(unmet.unresolved_failed, 1);
  EXPECT_EQ(unmet.short_history, 1);
  EXPECT_EQ(unmet.few_round_trips, 2);
  EXPECT_EQ(unmet.other, 1);
  EXPECT_EQ(unmet.running, 1);
  EXPECT_EQ(unmet.text(),
            "1 is still running, tau is not resolved in 1, 1 has a history shorter than 20 tau, 2 made fewer than 10 "
            "round trips, 1 has bins or copies that disagree, or something that does not move");
  const Unmet independent = unmet_criteria(criteria, rows, 10, Slots::are_independent);
  EXPECT_EQ(independent.unresolved, 2);
  EXPECT_EQ(independent.few_round_trips, 0);
}

TEST(Verdict, IsUndecidedWhereTauIsNotResolved) {
  RealizationCounts counts;
  counts.total = counts.used = counts.converged = 12;
  LogBinStep step;
  for (auto& difference : step.difference) difference = {{0.1, 0.2, 12}};
  const double T[] = {0.5};
  const LogBinStep steps[] = {step, step};
  VerdictData data{.temperatures = T, .observables = {}, .steps = steps};
  data.unmet.unresolved = 6;
  EXPECT_EQ(judge(data, counts).state, Equilibration::equilibrated);
  data.unmet.unresolved = 7;
  const Verdict v = judge(data, counts);
  EXPECT_EQ(v.reason, Undecided::tau_unresolved);
  EXPECT_THAT(v.lines.front(), HasSubstr("undecided: tau is not resolved in 7 of 12 realizations, whose histories are "
                                         "shorter than 14 tau"));
}

TEST(Verdict, IsOnAverageWhereSomeWereLeftOut) {
  RealizationCounts counts;
  counts.total = 20;
  counts.used = counts.converged = 12;
  counts.left_out = counts.reached_maximum = 8;
  LogBinStep step;
  for (auto& difference : step.difference) difference = {{0.1, 0.2, 12}};
  const double T[] = {0.5};
  const LogBinStep steps[] = {step, step};
  const Verdict v = judge({.temperatures = T, .observables = {}, .steps = steps}, counts);
  EXPECT_EQ(v.state, Equilibration::equilibrated_on_average);
  EXPECT_THAT(v.lines[1], HasSubstr("8 with data are left out because they have not converged"));
}

/// A size without any deviation, 5 of 16 realizations of which have not converged, some by tests that chance fails in 2
/// %.
Verdict with_failures(int log_binning, int copies, int taken = 16, std::size_t sizes = 1) {
  RealizationCounts counts;
  counts.total = counts.used = 16;
  counts.unconverged_used = counts.reached_maximum = 5;
  counts.converged = 11;
  LogBinStep step;
  for (auto& difference : step.difference) difference = {{0.1, 0.2, 16}};
  const double T[] = {0.8};
  const LogBinStep steps[] = {step, step};
  return judge({.temperatures = T,
                .observables = {},
                .steps = steps,
                .tests = {.taken = taken,
                          .log_binning = {.failed = log_binning, .rate = 0.02},
                          .copies = {.failed = copies, .rate = 0.02},
                          .failing = std::max(log_binning, copies)},
                .sizes = sizes},
               counts);
}

// P(K >= 5) = 1.2e-5, P(K >= 4) = 2.4e-4, P(K >= 3) = 0.0037, P(K >= 2) = 0.040 of 16 that fail with 2 %.
TEST(Verdict, FailedTestsAreATestThemselves) {
  for (const auto& [bins, copies] : {std::pair{5, 0}, std::pair{0, 5}, std::pair{4, 4}}) {
    const Verdict v = with_failures(bins, copies);
    EXPECT_EQ(v.state, Equilibration::not_equilibrated) << bins << ", " << copies;
    EXPECT_EQ(v.copies_disagree, copies > 0);
    EXPECT_THAT(v.lines.front(), HasSubstr("for all of them, level 0.01)"));
  }
  EXPECT_THAT(with_failures(0, 5).lines,
              ::testing::Contains(HasSubstr("5 of 16 realizations with histories of 16 tau fail the "
                                            "comparison of their copies, more than chance "
                                            "explains; chance fails 0.32 of them, p = 1.2e-05 (limit 3)")));
  EXPECT_EQ(with_failures(1, 1).state, Equilibration::equilibrated_on_average) << "as many as chance explains";
  EXPECT_EQ(with_failures(0, 0).state, Equilibration::equilibrated_on_average) << "short histories alone";
}

TEST(Verdict, MoreFailuresThanChanceLikesAreNoEquilibrium) {
  const Verdict v = with_failures(3, 0);
  EXPECT_EQ(v.state, Equilibration::undecided);
  EXPECT_EQ(v.reason, Undecided::tests_fail);
  EXPECT_THAT(v.lines.front(), HasSubstr("undecided: 3 of 16 realizations with histories of 16 tau have bins or "
                                         "copies that disagree, which is hardly chance (p = 0.0037, below 0.025)"));
  EXPECT_EQ(with_failures(2, 0).state, Equilibration::equilibrated_on_average) << "p = 0.04";
}

// Without its 5 realizations that fail the average is over those whose copies agree by chance.
TEST(Verdict, RealizationsThatAreLeftOutCountAmongTheFailedTests) {
  RealizationCounts counts;
  counts.total = 16;
  counts.used = counts.converged = 11;
  counts.left_out = counts.reached_maximum = 5;
  LogBinStep step;
  for (auto& difference : step.difference) difference = {{0.1, 0.2, 11}};
  const double T[] = {0.8};
  const LogBinStep steps[] = {step, step};
  VerdictData data{.temperatures = T, .observables = {}, .steps = steps};
  data.tests = {
      .taken = 16, .log_binning = {.failed = 0, .rate = 0.02}, .copies = {.failed = 5, .rate = 0.02}, .failing = 5};
  EXPECT_EQ(judge(data, counts).state, Equilibration::not_equilibrated);
}

// 3.9 sigma of 15 degrees of freedom has p = 0.0014: significant among 6 comparisons of one size (p < 0.0017), not
// among those of four.
TEST(Verdict, TheLevelIsOneForAllSizesOfACampaign) {
  const auto state = [](std::size_t sizes) {
    RealizationCounts counts;
    counts.total = counts.used = counts.converged = 16;
    LogBinStep step;
    for (auto& difference : step.difference) difference = {{0.39, 0.1, 16}};
    for (auto& difference : step.further) difference = {{0.0, 0.1, 16}};
    const double T[] = {0.8};
    const LogBinStep steps[] = {step};
    const LogBinStep both[] = {steps[0], LogBinStep{.bin = 1, .difference = {{{0.0, 0.1, 16}}, {{0.0, 0.1, 16}}}}};
    return judge({.temperatures = T, .observables = {}, .steps = both, .sizes = sizes}, counts);
  };
  EXPECT_EQ(state(1).comparisons, 6);
  EXPECT_EQ(state(1).state, Equilibration::not_equilibrated);
  EXPECT_EQ(state(4).state, Equilibration::equilibrated);
  EXPECT_THAT(state(4).lines.back(),
              HasSubstr("false-alarm probability 1 % for all 24 comparisons of 4 sizes together"));
}

// 4.5 sigma: beyond t_{1999} at 0.01/(2 4) (3.1), within t_{7} (5.1).
TEST(Verdict, ErrorsOverGroupsHaveTheirNumberOfDegreesOfFreedom) {
  RealizationCounts counts;
  counts.total = counts.used = counts.converged = 2000;
  const double T[] = {0.5};
  const auto state = [&](int groups) {
    LogBinStep step;
    for (auto& difference : step.difference) difference = {{0.45, 0.1, 2000, groups}};
    const LogBinStep steps[] = {step, step};
    return judge({.temperatures = T, .observables = {}, .steps = steps}, counts).state;
  };
  EXPECT_EQ(state(0), Equilibration::not_equilibrated);
  EXPECT_EQ(state(8), Equilibration::equilibrated);
}

// "No deviation in 0 comparisons" is no evidence.
TEST(Verdict, NeedsSomethingThatMoves) {
  RealizationCounts counts;
  counts.total = counts.used = counts.converged = 12;
  LogBinStep step;
  for (auto& difference : step.difference) difference = {{0.1, 0.2, 12}, {0.0, 0.0, 12}};
  const double T[] = {0.5, 1.0};
  const LogBinStep steps[] = {step, step};
  VerdictData data{.temperatures = T, .observables = {}, .steps = steps, .slots = Slots::are_independent};
  const Verdict independent = judge(data, counts);
  EXPECT_EQ(independent.state, Equilibration::undecided);
  EXPECT_EQ(independent.reason, Undecided::nothing_moves);
  EXPECT_EQ(independent.comparisons, 4);
  EXPECT_THAT(independent.lines.front(), HasSubstr("nothing has moved at T = 1 in any realization"));
  data.slots = Slots::exchange_replicas;
  const Verdict exchanged = judge(data, counts);
  EXPECT_EQ(exchanged.state, Equilibration::equilibrated);
  EXPECT_THAT(exchanged.lines[3], HasSubstr("neither energy nor order parameter has moved at T = 1"));
  LogBinStep still;
  for (auto& difference : still.difference) difference = {{0.0, 0.0, 12}, {0.0, 0.0, 12}};
  const LogBinStep frozen[] = {still, still};
  data.steps = frozen;
  EXPECT_EQ(judge(data, counts).state, Equilibration::undecided);
}

TEST(Verdict, IsUndecidedWithTooFewRealizationsOrRounds) {
  const Verdict few = Campaign(1).verdict({.identity = 1.0, .realizations = 7});
  EXPECT_EQ(few.state, Equilibration::undecided);
  EXPECT_THAT(few.lines.front(), HasSubstr("7 realizations cannot be judged"));
  const Verdict brief = Campaign(1).verdict({.rounds = 3});
  EXPECT_EQ(brief.state, Equilibration::undecided);
  EXPECT_THAT(brief.lines.front(), HasSubstr("too few rounds"));
  EXPECT_EQ(Campaign(1).verdict({.rounds = 4}).state, Equilibration::equilibrated);
}

// Tabulated quantiles of Student's t: t_7(0.995) = 3.4995; of the normal distribution: 2.5758 (1 %), 3.2905 (0.1 %).
TEST(Verdict, ThresholdsAreQuantilesOfStudentsT) {
  EXPECT_NEAR(significance_threshold(0.01, 8), 3.4995, 1e-4);
  EXPECT_NEAR(significance_threshold(0.01, 1000000), 2.5758, 1e-4);
  EXPECT_NEAR(significance_threshold(0.001, 1000000), 3.2905, 1e-4);
}

// Bonferroni keeps the rate of false alarms at or below 1 %: of 500 equilibrated campaigns of 12 realizations at most 5
// are expected to be called not equilibrated; more than 20 would happen with probability below 1e-6 (Poisson).
TEST(Verdict, RarelyRaisesAFalseAlarm) {
  Campaign campaign(7);
  int alarms = 0;
  for (int i = 0; i < 500; ++i) {
    if (campaign.verdict({.realizations = 12, .rounds = 4}).state == Equilibration::not_equilibrated) ++alarms;
  }
  EXPECT_LE(alarms, 20);
}

}}  // namespace glassworks

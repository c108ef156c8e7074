#include <cmath>
#include <numbers>
#include <span>

#include "analysis/averages/analysis.hpp"
#include "tests/enough.hpp"
#include "tests/physics/reference_values.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

/// Whole campaigns, from the configuration to disorder averages, against what is known. Deviations are tested at
/// 4 standard errors: by chance one of n comparisons fails with probability below n times 1e-4 (normal: 6.3e-5; the
/// errors come from at least 64 realizations: Student's t, 1.7e-4 there). Seeds are fixed, so a test either holds or
/// not.
namespace glassworks::testing { namespace {

constexpr double sigmas = 4.0;

/// The Gaussian spin glass in d = 3 that the tests vary.
Config spin_glass(const ScratchDirectory& scratch, int L, int realizations) {
  Config config;
  config.campaign.seed = 31;
  config.campaign.directory = scratch.path() / "campaign";
  config.model.L = {L};
  config.disorder.realizations = {realizations};
  config.protocol.overrelaxation = 5;
  config.protocol.exchanges_per_measurement = 5;
  config.round.measurements_per_round = {40};
  config.convergence = {.min_rounds = 16, .max_rounds = 80, .min_round_trips = 20, .n_tau = 0.0, .rule_given = 1};
  config.backend.options.threads = 1;
  return config;
}

SizeResult simulate(const Config& config) {
  run_campaign(config);
  return analyze(read_campaign(config)).sizes.front();
}

Estimate at(const SizeResult& size, const char* observable, std::size_t slot) {
  const ObservableResult* found = size.find(observable);
  if (found == nullptr) throw std::runtime_error(std::string("no observable ") + observable);
  return found->at_slot.at(slot);
}

/// |difference| <= 4 errors, and the error is small enough that this says something.
void expect_agreement(double difference, double error, double largest_error, const std::string& what) {
  EXPECT_TRUE(std::abs(difference) <= sigmas * error)
      << what << ": " << difference << " +- " << error << ", " << difference / error << " errors";
  EXPECT_LT(error, largest_error) << what << ": the comparison is too weak";
}

void expect_vanishing(const SizeResult& size, const char* observable, double largest_error) {
  for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
    const Estimate e = at(size, observable, slot);
    expect_agreement(e.mean, e.error, largest_error,
                     std::string(observable) + " at T = " + std::to_string(size.temperatures[slot]));
  }
}

void expect_reference(const SizeResult& size, std::span<const ReferenceRow> reference) {
  ASSERT_EQ(size.temperatures.size(), reference.size());
  for (std::size_t slot = 0; slot < reference.size(); ++slot) {
    const ReferenceRow& row = reference[slot];
    for (std::size_t k = 0; k < reference_observables.size(); ++k) {
      // Chiral correlations are shorter than a lattice constant above; the square root of a small difference says
      // little.
      const bool chiral = std::string(reference_observables[k]).starts_with("xi_chiral");
      if (chiral && row[0] > 0.29) continue;
      const Estimate ours = at(size, reference_observables[k], slot);
      const double mean = row[1 + 2 * k], error = row[2 + 2 * k];
      // The reference has at least 2.6 times our realizations: an error much above its own would hide anything.
      expect_agreement(ours.mean - mean, std::hypot(ours.error, error), 4.0 * error,
                       std::string(reference_observables[k]) + " at T = " + std::to_string(row[0]));
    }
  }
}

void compare_with_reference(int L, int realizations, std::span<const ReferenceRow> reference) {
  const ScratchDirectory scratch;
  Config config = spin_glass(scratch, L, realizations);
  config.round.measurements_per_round = {24};
  config.ladder.kind = LadderKind::list;
  for (const ReferenceRow& row : reference) config.ladder.temperatures.push_back(row[0]);
  const SizeResult size = simulate(config);
  EXPECT_EQ(size.counts.converged, realizations);
  EXPECT_NE(size.verdict.state, Equilibration::not_equilibrated);
  expect_reference(size, reference);
  expect_vanishing(size, "identity_difference", 0.05);
}

// Up to 9 comparisons at 16 temperatures, strongly correlated: chance below 2.5 % (63 degrees of freedom).
TEST(StatisticsSpinGlass, SizeFourAgreesWithReference) {
  compare_with_reference(4, test::enough(64, 128), reference_L4);
}

// Up to 9 comparisons at 21 temperatures: chance below 2.3 % (95 degrees of freedom).
TEST(SlowSpinGlass, SizeSixAgreesWithReference) { compare_with_reference(6, 96, reference_L6); }

// 4 copies in zero field: by rotational invariance <s_i^mu s_j^nu> = delta_{mu nu} <s_i.s_j>/3 and <s_i> = 0, hence
// chi_1 = chi_SG/3 and chi_2 = chi_3 = 0, at k = 0 and k_min. Holds for every realization, equilibrated or not, because
// initial states are rotationally invariant too. 8 x 7 comparisons: chance below 1 %.
TEST(StatisticsSpinGlass, FourCopiesAreRotationallyInvariant) {
  const ScratchDirectory scratch;
  Config config = spin_glass(scratch, 4, test::enough(32, 64));
  config.round.measurements_per_round = {16};
  config.replicas.copies = 4;
  config.ladder = {
      .kind = LadderKind::geometric, .T_min = 0.2, .T_max = 1.0, .slots = {8}, .temperatures = {}, .kappas = {}};
  const SizeResult size = simulate(config);
  for (const std::string k : {"", "_kmin"}) {
    for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
      const Estimate one = at(size, ("chi_1" + k).c_str(), slot), all = at(size, ("chi_sg" + k).c_str(), slot);
      // Both share their disorder, so the errors in quadrature are an upper bound.
      expect_agreement(one.mean - all.mean / 3.0, std::hypot(one.error, all.error / 3.0), 0.05 * all.mean,
                       "chi_1" + k + " at T = " + std::to_string(size.temperatures[slot]));
    }
    expect_vanishing(size, ("chi_2" + k).c_str(), 0.2);
    expect_vanishing(size, ("chi_3" + k).c_str(), 0.2);
  }
  expect_vanishing(size, "identity_difference", 0.05);
}

// A Gaussian field of standard deviation h per component: both identities hold, chi_1 - 2 chi_2 + chi_3 is the mean of
// a square and cannot be negative, and <q> cannot vanish. 8 x 3 comparisons: chance below 0.5 %.
TEST(StatisticsSpinGlass, GaussianField) {
  const ScratchDirectory scratch;
  Config config = spin_glass(scratch, 4, test::enough(32, 64));
  config.round.measurements_per_round = {16};
  config.replicas.copies = 4;
  config.model.field = FieldKind::gaussian;
  config.model.field_strength = 0.5;
  config.ladder = {
      .kind = LadderKind::geometric, .T_min = 0.2, .T_max = 1.0, .slots = {8}, .temperatures = {}, .kappas = {}};
  const SizeResult size = simulate(config);
  EXPECT_NE(size.verdict.state, Equilibration::not_equilibrated);
  expect_vanishing(size, "identity_difference", 0.05);
  expect_vanishing(size, "field_identity_difference", 0.03);
  for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
    const double T = size.temperatures[slot];
    for (const char* name : {"chi_sg_field", "chi_sg_field_kmin"}) {
      const Estimate chi = at(size, name, slot);
      EXPECT_GT(chi.mean, -sigmas * chi.error) << name << " at T = " << T;
      EXPECT_LT(chi.error, 0.5) << name << " at T = " << T;
    }
    const Estimate q = at(size, "overlap", slot), e = at(size, "energy", slot), bond = at(size, "bond_energy", slot),
                   field = at(size, "field_energy", slot);
    EXPECT_GT(q.mean, 20.0 * q.error) << "T = " << T;
    EXPECT_NEAR(e.mean, bond.mean + field.mean, 1e-6) << "T = " << T;
  }
}

// At T = infinity kappa_i^a has mean 0 and variance 2/9 (of three independent unit vectors) and different sites have no
// correlations, so the connected chiral susceptibility of four copies is (2/9)^2 at every k. The field tilts the spins
// by beta h/3, which changes it in order (beta h)^2 = 1e-4. Three comparisons: chance below 0.1 %.
TEST(StatisticsSpinGlass, ChiralityInAFieldAtHighTemperature) {
  const ScratchDirectory scratch;
  Config config = spin_glass(scratch, 4, 16);
  config.protocol.overrelaxation = 0;
  config.protocol.exchanges_per_measurement = 1;
  config.round.measurements_per_round = {25};
  config.round.observables = chiral_response;
  config.replicas.copies = 4;
  config.model.field = FieldKind::sphere;
  config.model.field_strength = 1.0;
  config.convergence = {.min_rounds = 8, .max_rounds = 16, .min_round_trips = 0, .n_tau = 0.0, .rule_given = 1};
  config.ladder.kind = LadderKind::list;
  config.ladder.temperatures = {100.0};
  const SizeResult size = simulate(config);
  for (const char* name : {"chi_cg_field", "chi_cg_field_kmin", "chi_cg_field_kmin_perp"}) {
    const Estimate chi = at(size, name, 0);
    expect_agreement(chi.mean - 4.0 / 81.0, chi.error, 2e-3, name);
  }
}

// J = +-1 at high temperature: every bond has J^2 = 1 and closed loops cancel in the disorder average, so
// E/N = -d J (coth(beta J) - 1/(beta J)) + O(beta^5) = -beta + beta^3/15 + O(beta^5) in d = 3, and chi_SG = 1 + 2 d
// beta^2/9 + O(beta^4) from pairs i = j and nearest neighbours, <s_i.s_j> = beta J/3. 4 x 2 comparisons, 127 degrees of
// freedom or more: chance below 0.1 %.
TEST(StatisticsSpinGlass, HighTemperature) {
  const ScratchDirectory scratch;
  Config config = spin_glass(scratch, 4, test::enough(128, 256));
  config.model.couplings = CouplingKind::bimodal;
  config.protocol.overrelaxation = 0;
  config.protocol.exchanges_per_measurement = 1;
  config.round.measurements_per_round = {50};
  config.convergence = {.min_rounds = 8, .max_rounds = 16, .min_round_trips = 0, .n_tau = 0.0, .rule_given = 1};
  config.ladder.kind = LadderKind::list;
  config.ladder.temperatures = {8.0, 12.0, 20.0, 50.0};
  const SizeResult size = simulate(config);
  for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
    const double beta = 1.0 / size.temperatures[slot];
    const std::string where = " at beta = " + std::to_string(beta);
    const Estimate e = at(size, "energy", slot), chi = at(size, "chi_sg", slot);
    expect_agreement(e.mean - (-beta + beta * beta * beta / 15.0), e.error, 1e-3, "energy" + where);
    expect_agreement(chi.mean - (1.0 + 6.0 * beta * beta / 9.0), chi.error, 1e-2, "chi_sg" + where);
  }
}

}}  // namespace glassworks::testing

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>

#include "analysis/observables/estimators.hpp"
#include "analysis/reweighting/joint_samples.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "tests/analysis/fake_campaign.hpp"

/// Derived observables of models other than heisenberg.
namespace glassworks { namespace {

using ::testing::ElementsAre;

Config cluster_config(ModelKind kind, int copies, CouplingKind couplings = CouplingKind::ferromagnet) {
  Config config = testing::fake_config(2, copies, 8);
  config.model.spins.kind = kind;
  config.model.couplings = couplings;
  config.protocol.kind = ProtocolKind::swendsen_wang;
  config.protocol.exchange = ExchangeSchedule::none;
  return config;
}

Columns columns_of(const Config& config) {
  return {
      config,
      {.L = 8,
       .temperatures = {},
       .observables =
           BinLayout(config.model.spins, config.model.dim, config.replicas.copies, config.round.observables).names()}};
}

/// Values of all estimators for given averages; everything else is 0.
std::map<std::string, double> evaluate(const Config& config, double beta, const std::map<std::string, double>& averages,
                                       double energy_product = 0.0) {
  const Columns columns = columns_of(config);
  std::vector<double> x(columns.size(), 0.0);
  for (const auto& [name, value] : averages) x[columns[name]] = value;
  x[columns[Columns::energy_product]] = energy_product;
  std::map<std::string, double> values;
  for (const Estimator& e : make_estimators(config, config.model.L.front(), columns)) values[e.name] = e.value(x, beta);
  return values;
}

TEST(ClusterEstimators, SpecificHeatNeedsTwoCopiesOrIndependentRuns) {
  const std::map<std::string, double> energies = {{"energy", -1.5}, {"energy_squared", 2.30}};
  const auto one = evaluate(cluster_config(ModelKind::ising, 1), 0.5, energies, 1.0);
  EXPECT_NEAR(one.at("specific_heat"), 0.25 * 64.0 * (2.30 - 2.25), 1e-12) << "the average over runs, squared";
  const auto two = evaluate(cluster_config(ModelKind::ising, 2), 0.5, energies, 2.28);
  EXPECT_NEAR(two.at("specific_heat"), 0.25 * 64.0 * 0.02, 1e-12) << "the product of copies";
  const auto disordered = evaluate(cluster_config(ModelKind::ising, 1, CouplingKind::bimodal), 0.5, energies, 1.0);
  EXPECT_FALSE(disordered.contains("specific_heat"));
  EXPECT_FALSE(disordered.contains("chi_m_connected")) << "[<|m|>]^2 is not [<|m|>^2]";
  const auto file = evaluate(cluster_config(ModelKind::ising, 1, CouplingKind::file), 0.5, energies, 1.0);
  EXPECT_NEAR(file.at("specific_heat"), 0.25 * 64.0 * (2.30 - 2.25), 1e-12) << "all realizations share the file";
  EXPECT_TRUE(file.contains("chi_m_connected"));
}

TEST(ClusterEstimators, BinderCumulantsKnowTheirComponents) {
  // A Gaussian order parameter of n components has <m^4>/<m^2>^2 = (n + 2)/n and a cumulant of 0.
  const auto components = [](ModelKind kind, int states, int n) {
    Config config = cluster_config(kind, 2);
    config.model.spins.states = states;
    config.model.spins.components = n;
    return config;
  };
  const std::vector<std::pair<Config, int>> cases = {
      {components(ModelKind::ising, 2, 3), 1}, {components(ModelKind::potts, 2, 3), 1},
      {components(ModelKind::potts, 5, 3), 4}, {components(ModelKind::on, 2, 2), 2},
      {components(ModelKind::on, 2, 3), 3},    {components(ModelKind::phi4, 2, 3), 4}};
  for (const auto& [config, n] : cases) {
    EXPECT_EQ(order_parameter_components(config.model.spins), n);
    const bool vector = config.model.spins.kind == ModelKind::on || config.model.spins.kind == ModelKind::phi4;
    const int k = vector ? n * n : 1;
    const auto v = evaluate(config, 1.0,
                            {{"magnetization_2", 0.5},
                             {"magnetization_4", 0.25 * (n + 2) / n},
                             {"overlap_2", 0.5},
                             {"overlap_4", 0.25 * (k + 2) / k}});
    EXPECT_NEAR(v.at("magnetization_binder"), 0.0, 1e-14);
    EXPECT_NEAR(v.at("overlap_binder"), 0.0, 1e-14);
  }
}

TEST(ClusterEstimators, SusceptibilitiesAndLengthsCarryTheirFactors) {
  const double mass = 0.4, s = 2.0 * std::sin(std::numbers::pi / 8);
  const double zero = 0.01 / (mass * mass), kmin = 0.01 / (mass * mass + s * s);
  const auto v = evaluate(cluster_config(ModelKind::ising, 2), 1.0,
                          {{"magnetization_abs", 0.2},
                           {"magnetization_2", zero},
                           {"magnetization_kmin", kmin},
                           {"improved_m2", 2.0 * zero},
                           {"improved_kmin", 2.0 * kmin},
                           {"overlap_2", zero},
                           {"overlap_kmin", kmin},
                           {"clusters", 0.1}});
  EXPECT_NEAR(v.at("chi_m"), 64.0 * zero, 1e-12);
  EXPECT_NEAR(v.at("chi_m_connected"), 64.0 * (zero - 0.04), 1e-12);
  EXPECT_NEAR(v.at("chi_m_improved"), 128.0 * zero, 1e-12);
  EXPECT_NEAR(v.at("chi_sg"), 64.0 * zero, 1e-12);
  for (const char* name : {"xi_m_over_L", "xi_m_improved_over_L", "xi_over_L"}) {
    EXPECT_NEAR(v.at(name) * 8.0 * mass, 1.0, 1e-10) << name;
  }
  EXPECT_EQ(v.at("clusters"), 0.1);
}

// As of heisenberg, from the columns of chiral_overlap; two dimensions have no k_min along the normal of plaquettes.
TEST(ClusterEstimators, ChiralitiesOfXySpins) {
  Config config = cluster_config(ModelKind::on, 2, CouplingKind::gaussian);
  config.model.spins.components = 2;
  EXPECT_FALSE(evaluate(config, 1.0, {}).contains("chi_cg"));
  config.round.observables = chiral_overlap;
  const double mass = 0.4, s = 2.0 * std::sin(std::numbers::pi / 8);
  const double zero = 0.01 / (mass * mass), kmin = 0.01 / (mass * mass + s * s),
               farther = 0.01 / (mass * mass + 4.0 * s * s);
  for (const int dim : {2, 3}) {
    config.model.dim = dim;
    std::map<std::string, double> averages = {
        {"chiral_zero", zero}, {"chiral_4", 2.0 * zero * zero}, {"chiral_kmin_perpendicular", farther}};
    if (dim == 3) averages["chiral_kmin_parallel"] = kmin;
    const auto v = evaluate(config, 1.0, averages);
    EXPECT_NEAR(v.at("chi_cg"), std::pow(8.0, dim) * zero, 1e-9);
    EXPECT_NEAR(v.at("chi_cg_kmin_perp"), std::pow(8.0, dim) * farther, 1e-9);
    EXPECT_NEAR(v.at("xi_chiral_perp_over_L") * 8.0 * mass, 2.0, 1e-10);
    EXPECT_NEAR(v.at("chiral_binder"), 0.5, 1e-14);
    EXPECT_EQ(v.contains("xi_chiral_over_L"), dim == 3);
    EXPECT_EQ(v.contains("chi_cg_kmin"), dim == 3);
    if (dim < 3) continue;
    EXPECT_NEAR(v.at("xi_chiral_over_L") * 8.0 * mass, 1.0, 1e-10);
  }
}

TEST(ClusterEstimators, ExistWhereTheProtocolMeasuresThem) {
  Config config = cluster_config(ModelKind::ising, 1);
  const auto has = [&](const char* name) { return evaluate(config, 1.0, {}).contains(name); };
  EXPECT_TRUE(has("wrapping_all"));
  EXPECT_TRUE(has("moved_sites"));
  EXPECT_FALSE(has("acceptance"));
  EXPECT_FALSE(has("overlap"));
  EXPECT_FALSE(has("modulus_2"));
  config.protocol.kind = ProtocolKind::wolff;
  config.protocol.exchange = ExchangeSchedule::even_odd;
  EXPECT_FALSE(has("wrapping_all"));
  EXPECT_FALSE(has("chi_m_improved"));
  EXPECT_TRUE(has("moved_sites"));
  EXPECT_TRUE(has("acceptance"));
  config.protocol.kind = ProtocolKind::local;
  EXPECT_FALSE(has("moved_sites"));
  config.model.spins = {.kind = ModelKind::phi4, .lambda = 0.5};
  EXPECT_TRUE(has("modulus_2"));
}

TEST(ClusterColumns, OrderParameterIsTheMagnetizationOfOneCopyAndElseTheOverlap) {
  const Columns one = columns_of(cluster_config(ModelKind::ising, 1)),
                two = columns_of(cluster_config(ModelKind::ising, 2));
  EXPECT_FALSE(one.has_modes("overlap_k", 0));
  EXPECT_STREQ(one.order_parameter().symbol, "m^2");
  EXPECT_THAT(one.order_parameter().zero, ElementsAre(one["magnetization_2"]));
  EXPECT_STREQ(two.order_parameter().symbol, "q^2");
  EXPECT_THAT(two.order_parameter().kmin, ElementsAre(two["overlap_kmin"]));
  const Columns heisenberg(testing::stored_names(), 3);
  EXPECT_TRUE(heisenberg.has_modes("overlap_k", 0));
  EXPECT_STREQ(heisenberg.order_parameter().symbol, "|q|^2");
  EXPECT_EQ(heisenberg.order_parameter().kmin.size(), 3U);
}

TEST(ClusterColumns, OneCopyIsSummarizedWithoutAProduct) {
  const Config config = cluster_config(ModelKind::ising, 1);
  const Columns columns = columns_of(config);
  std::vector<RoundRow> rounds(8);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    RoundRecord& record = rounds[r].record;
    record.measurements = 10;
    record.mean.assign(columns.stored(), 0.0);
    record.mean[columns["energy"]] = record.mean[columns["energy_of_copy_1"]] = -1.5;
    record.mean[columns["magnetization_2"]] = 0.25;
    record.walk_up = record.walk_down = {0};
    record.round_trips = {0};
  }
  const RealizationSummary summary = summarize({8, 0}, rounds, columns, 1);
  EXPECT_DOUBLE_EQ(summary.mean[columns[Columns::energy_product]], 2.25);
  EXPECT_THAT(summary.log_bin.front(), ElementsAre(-1.5, 0.25));
}

TEST(ClusterSamples, AreReweightedByTheirOwnEnergies) {
  const Config one = cluster_config(ModelKind::ising, 1), two = cluster_config(ModelKind::ising, 2);
  const auto names = [](const Config& c) { return BinLayout(c.model.spins, 2, c.replicas.copies).sample_names(); };
  const SampledQuantities single(names(one), 64.0), pair(names(two), 64.0);
  EXPECT_EQ(single.size(), names(one).size()) << "energy and its square are sampled, one copy has no product";
  EXPECT_EQ(pair.size(), names(two).size() + 1);
  EXPECT_EQ(single[SampledQuantities::energy], 0U);
  std::vector<float> values(names(two).size(), 0.0F);
  values[pair["energy"]] = -1.5F;
  values[pair["energy_of_copy_1"]] = -1.0F;
  values[pair["energy_of_copy_2"]] = -2.0F;
  EXPECT_DOUBLE_EQ(pair.total_energy(values), -192.0);
  std::vector<double> sums(pair.size(), 0.0);
  pair.add_to(sums, values);
  EXPECT_DOUBLE_EQ(sums[pair["energy"]], -1.5) << "added once";
  EXPECT_DOUBLE_EQ(sums[pair["energy_product"]], 2.0);
}

}}  // namespace glassworks

#include "analysis/observables/conditions.hpp"

#include <gtest/gtest.h>

#include "analysis/observables/estimators.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "kernels/rounds/local_names.hpp"

namespace glassworks { namespace {

Config magnet(ModelKind kind = ModelKind::ising, CouplingKind couplings = CouplingKind::ferromagnet) {
  Config config;
  config.model.spins.kind = kind;
  config.model.couplings = couplings;
  config.model.dim = 2;
  config.model.L = {8};
  config.replicas.copies = 2;
  config.protocol.kind = ProtocolKind::swendsen_wang;
  return config;
}

/// Whether the analysis of a campaign that stored all columns has an observable. The estimators are those of a campaign
/// of any version: columns are found by name.
bool is_analyzed(const Config& config, const std::string& name) {
  const Columns columns(
      BinLayout(config.model.spins, config.model.dim, config.replicas.copies, config.round.observables).names(),
      config.model.dim);
  for (const Estimator& e : make_estimators(config, config.model.L.front(), columns)) {
    if (e.name == name) return true;
  }
  return false;
}

bool is_shown(const Config& config, const std::string& name) { return find_observable(name)->is_shown(config); }

TEST(Conditions, QuadrupolesAreThoseOfBlumeCapel) {
  Config config = magnet(ModelKind::blume_capel, CouplingKind::gaussian);
  config.protocol.kind = ProtocolKind::local;
  for (const char* name : {"quadrupole", "crystal_field_energy"}) {
    EXPECT_FALSE(is_analyzed(config, name)) << "not measured";
  }
  config.round.observables = local_observables_of(config.model.spins) & ~(axis_modes | field_response);
  for (const char* name : {"quadrupole", "crystal_field_energy", "energy", "chi_m", "chi_sg", "link_overlap"}) {
    EXPECT_TRUE(is_analyzed(config, name)) << name;
  }
  EXPECT_FALSE(is_analyzed(config, "identity_difference")) << "(s_i s_j)^2 is not 1";
  Config ising = magnet(ModelKind::ising, CouplingKind::gaussian);
  ising.protocol.kind = ProtocolKind::local;
  ising.round.observables = config.round.observables;
  EXPECT_TRUE(is_analyzed(ising, "identity_difference"));
  EXPECT_FALSE(is_analyzed(ising, "quadrupole"));
}

// Sums of cluster sizes are those of spins only where the spins of a cluster are equal: all J = -1 gave 41.13(30) for
// chi_m = 0.1501(27), +-J 22.5 for 0.93, Gaussian couplings 7.9 for 0.99 (2D, L = 8, T = 2.269).
TEST(Conditions, ImprovedEstimatorsOfIsingSpinsNeedCouplingsThatAreNotNegative) {
  for (const char* name : {"chi_m_improved", "xi_m_improved_over_L"}) {
    EXPECT_TRUE(is_analyzed(magnet(), name));
    Config config = magnet(ModelKind::ising, CouplingKind::bimodal);
    for (const double p : {0.0, 0.5, 0.999}) {
      config.model.bimodal_p = p;
      EXPECT_FALSE(is_analyzed(config, name)) << p;
    }
    config.model.bimodal_p = 1.0;
    EXPECT_TRUE(is_analyzed(config, name));
    config.model.boundary = {AxisEnds::periodic, AxisEnds::antiperiodic};
    EXPECT_FALSE(is_analyzed(config, name)) << "J changes its sign across the end";
    config.model.boundary = {AxisEnds::periodic, AxisEnds::open};
    EXPECT_TRUE(is_analyzed(config, name));
    for (const CouplingKind kind : {CouplingKind::gaussian, CouplingKind::file, CouplingKind::files}) {
      EXPECT_FALSE(is_analyzed(magnet(ModelKind::ising, kind), name)) << static_cast<int>(kind);
    }
    config = magnet(ModelKind::ising, CouplingKind::gaussian);
    config.model.couplings_mean = 5.0;
    EXPECT_FALSE(is_analyzed(config, name)) << "some are negative";
    config = magnet();
    config.model.bond_dilution = 0.3;
    EXPECT_TRUE(is_analyzed(config, name));
    config.protocol.kind = ProtocolKind::wolff;
    EXPECT_FALSE(is_analyzed(config, name));
  }
}

TEST(Conditions, ImprovedEstimatorsOfVectorsHaveTheSignsOfProjections) {
  for (const CouplingKind kind : {CouplingKind::gaussian, CouplingKind::bimodal, CouplingKind::file}) {
    EXPECT_TRUE(is_analyzed(magnet(ModelKind::on, kind), "chi_m_improved"));
  }
  EXPECT_TRUE(is_analyzed(magnet(ModelKind::potts, CouplingKind::file), "chi_m_improved")) << "J < 0 is refused";
  EXPECT_FALSE(is_analyzed(magnet(ModelKind::on, CouplingKind::gaussian), "xi_m_improved_over_L")) << "chi_m is 1";
}

TEST(Conditions, ALengthOfTheMagnetizationNeedsCorrelationsThatCanBePositive) {
  Config config = magnet(ModelKind::ising, CouplingKind::bimodal);
  const auto length = [&] { return is_analyzed(config, "xi_m_over_L"); };
  EXPECT_FALSE(length()) << "a glass has [<s_i s_j>] = 0";
  config.model.bimodal_p = 0.6;
  EXPECT_TRUE(length());
  config.model.bimodal_p = 0.4;
  EXPECT_FALSE(length());
  config = magnet(ModelKind::on, CouplingKind::gaussian);
  EXPECT_FALSE(length());
  EXPECT_FALSE(is_shown(config, "magnetization_binder") || is_shown(config, "magnetization_abs"));
  EXPECT_TRUE(is_analyzed(config, "magnetization_binder")) << "it is what its equation says";
  config.model.couplings_mean = 0.5;
  EXPECT_TRUE(length() && is_shown(config, "magnetization_binder"));
  config = magnet(ModelKind::ising, CouplingKind::files);
  EXPECT_TRUE(length()) << "signs are not known";
  config.model.boundary = {AxisEnds::antiperiodic, AxisEnds::periodic};
  EXPECT_FALSE(length());
}

TEST(Conditions, FieldsGiveOverlapAndMagnetizationAMean) {
  Config config = magnet();
  config.protocol.kind = ProtocolKind::local;
  config.model.field_strength = 0.5;
  const auto has = [&](const char* name) { return is_analyzed(config, name); };
  EXPECT_TRUE(has("xi_over_L") && has("overlap_binder") && has("xi_m_over_L") && has("magnetization_binder"));
  for (const FieldKind kind : {FieldKind::gaussian, FieldKind::box, FieldKind::sphere}) {
    config.model.field = kind;
    EXPECT_FALSE(has("xi_over_L") || has("overlap_binder"));
    EXPECT_TRUE(has("chi_sg") && has("overlap")) << "moments are moments";
    EXPECT_TRUE(has("xi_m_over_L") && has("magnetization_binder")) << "[<m>] is 0";
    EXPECT_FALSE(is_shown(config, "xi_m_over_L")) << "it is not connected";
  }
  for (const FieldKind kind : {FieldKind::constant, FieldKind::file}) {
    config.model.field = kind;
    EXPECT_FALSE(has("xi_over_L") || has("overlap_binder") || has("xi_m_over_L") || has("magnetization_binder"));
  }
  Config vectors;
  vectors.model.L = {4};
  vectors.replicas.copies = 4;
  EXPECT_TRUE(is_analyzed(vectors, "xi_chiral_over_L") && is_analyzed(vectors, "binder"));
  vectors.model.field = FieldKind::constant;
  EXPECT_TRUE(is_analyzed(vectors, "xi_chiral_over_L")) << "a reflection changes its sign";
  EXPECT_TRUE(is_analyzed(vectors, "xi_field_over_L"));
  EXPECT_FALSE(is_analyzed(vectors, "xi_over_L") || is_analyzed(vectors, "binder"));
  vectors.model.field = FieldKind::gaussian;
  EXPECT_FALSE(is_analyzed(vectors, "xi_chiral_over_L") || is_analyzed(vectors, "chiral_binder"));
  EXPECT_TRUE(is_analyzed(vectors, "chi_cg"));
}

// Bins of two versions may differ: what is stored of a glass has improved_m2, and says nothing.
TEST(Conditions, StoredColumnsSayWhereTheirEquationIsTrue) {
  EXPECT_TRUE(find_observable("improved_m2")->holds_for(magnet()));
  EXPECT_FALSE(find_observable("improved_m2")->holds_for(magnet(ModelKind::ising, CouplingKind::gaussian)));
  const std::string page = observables_page();
  EXPECT_NE(page.find("stored column; true where: Swendsen-Wang; of ising no J < 0"), std::string::npos);
  for (const Observable& row : observables()) {
    for (const Condition& one : row.holds) EXPECT_NE(page.find(one.text), std::string::npos) << row.name;
  }
}

}}  // namespace glassworks

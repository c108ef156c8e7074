#include "analysis/identity_columns.hpp"

#include <gtest/gtest.h>

#include "engine/config.hpp"
#include "engine/observables.hpp"

namespace glassworks {
namespace {

Config gaussian(ModelKind kind, int components) {
  Config config;
  config.model.spins.kind = kind;
  config.model.spins.components = components;
  config.model.L = {4};
  config.copies = 2;
  config.ladder.T_min = 1.0;
  config.ladder.T_max = 2.0;
  config.ladder.slots = {4};
  return config;
}

std::optional<IdentityColumns> identity_of(const Config& config) {
  return IdentityColumns::of(config, Columns(observables_of(config).names(), config.model.dim));
}

TEST(IdentityColumns, EveryModelWithGaussianCouplingsHasThem) {
  EXPECT_TRUE(identity_of(settled(gaussian(ModelKind::heisenberg, 3))));
  EXPECT_TRUE(identity_of(settled(gaussian(ModelKind::ising, 1))));
  for (const int n : {2, 3, 4}) {
    EXPECT_FALSE(identity_of(gaussian(ModelKind::on, n))) << "without bond_nematic";
    const Config settled_on = settled(gaussian(ModelKind::on, n));
    const std::optional<IdentityColumns> identity = identity_of(settled_on);
    ASSERT_TRUE(identity) << "new campaigns measure bond_nematic";
    const Columns columns(observables_of(settled_on).names(), 3);
    std::vector<double> x(columns.size(), 0.0);
    x[columns["energy"]] = -1.5;
    x[columns["bond_nematic"]] = 0.7;
    x[columns["link_overlap"]] = 0.2;
    EXPECT_DOUBLE_EQ(identity->bond_energy(x), -1.5);
    EXPECT_DOUBLE_EQ(identity->q_s_minus_q_l(x), 0.5);
  }
}

TEST(IdentityColumns, ThereIsNoneWithAFieldOrOneCopy) {
  Config field = gaussian(ModelKind::on, 3), single = field, bimodal = field;
  field.model.field = FieldKind::gaussian;
  field.model.field_strength = 0.1;
  single.copies = 1;
  bimodal.model.couplings = CouplingKind::bimodal;
  for (const Config& config : {field, single, bimodal}) {
    EXPECT_EQ(settled(config).observables, 0U);
    EXPECT_FALSE(identity_of(settled(config)));
  }
}

}  // namespace
}  // namespace glassworks

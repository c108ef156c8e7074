#include "analysis/observables/identity_columns.hpp"

#include <gtest/gtest.h>

#include "engine/config/config.hpp"

namespace glassworks { namespace {

Config gaussian(ModelKind kind, int components) {
  Config config;
  config.model.spins.kind = kind;
  config.model.spins.components = components;
  config.model.L = {4};
  config.replicas.copies = 2;
  config.ladder.T_min = 1.0;
  config.ladder.T_max = 2.0;
  config.ladder.slots = {4};
  return config;
}

std::optional<IdentityColumns> identity_of(const Config& config) {
  return IdentityColumns::of(config, Columns(config.bins().names(), config.model.dim));
}

TEST(IdentityColumns, EveryModelWithGaussianCouplingsHasThem) {
  EXPECT_TRUE(identity_of(settled(gaussian(ModelKind::heisenberg, 3))));
  EXPECT_TRUE(identity_of(settled(gaussian(ModelKind::ising, 1))));
  for (const int n : {2, 3, 4}) {
    EXPECT_FALSE(identity_of(gaussian(ModelKind::on, n))) << "without bond_nematic";
    const Config settled_on = settled(gaussian(ModelKind::on, n));
    const std::optional<IdentityColumns> identity = identity_of(settled_on);
    ASSERT_TRUE(identity) << "new campaigns measure bond_nematic";
    const Columns columns(settled_on.bins().names(), 3);
    std::vector<double> x(columns.size(), 0.0);
    x[columns["energy"]] = -1.5;
    x[columns["bond_nematic"]] = 0.7;
    x[columns["link_overlap"]] = 0.2;
    EXPECT_DOUBLE_EQ(identity->energy_side(x), -1.5);
    EXPECT_DOUBLE_EQ(identity->overlap_side(x, 3.0, 2.0), -3.0);
  }
}

/// Where bins hold the whole energy alone, Gaussian fields add their own identity.
TEST(IdentityColumns, InGaussianFields) {
  for (const ModelKind kind : {ModelKind::ising, ModelKind::on, ModelKind::heisenberg}) {
    Config field = gaussian(kind, 3);
    field.model.field = FieldKind::gaussian;
    field.model.field_strength = 0.5;
    field = settled(field);
    const std::optional<IdentityColumns> identity = identity_of(field);
    ASSERT_TRUE(identity);
    const Columns columns(field.bins().names(), 3);
    std::vector<double> x(columns.size(), 0.0);
    x[columns["overlap"]] = 0.2;
    x[columns["link_overlap"]] = 1.0;
    if (kind == ModelKind::on) x[columns["bond_nematic"]] = 1.0;
    if (kind == ModelKind::heisenberg) x[columns["q_s"]] = 1.0;
    EXPECT_DOUBLE_EQ(identity->overlap_side(x, 3.0, 2.0), kind == ModelKind::heisenberg ? 0.0 : -0.4);
  }
}

TEST(IdentityColumns, ThereIsNoneWithOtherFieldsOrOneCopy) {
  Config field = gaussian(ModelKind::on, 3), single = field, bimodal = field;
  field.model.field = FieldKind::sphere;
  field.model.field_strength = 0.1;
  single.replicas.copies = 1;
  bimodal.model.couplings = CouplingKind::bimodal;
  for (const Config& config : {field, single, bimodal}) {
    EXPECT_EQ(settled(config).round.observables, 0U);
    EXPECT_FALSE(identity_of(settled(config)));
  }
}

}}  // namespace glassworks

#include "analysis/observables/identity_columns.hpp"

#include "analysis/observables/conditions.hpp"

namespace glassworks { inline namespace analysis {

bool has_ising_identity(const Config& config) {
  return condition::normal_couplings.met(config) && config.model.spins.kind == ModelKind::ising;
}

bool has_on_identity(const Config& config) {
  return condition::normal_couplings.met(config) && config.model.spins.kind == ModelKind::on;
}

std::optional<IdentityColumns> IdentityColumns::of(const Config& config, const Columns& columns) {
  if (!condition::normal_couplings.met(config)) return {};
  IdentityColumns identity;
  if (columns.has("q_s")) {
    identity.energy_ = columns["bond_energy"];
    identity.q_s_ = columns["q_s"];
  } else if (has_on_identity(config) && columns.has("bond_nematic") && columns.has("link_overlap")) {
    identity.energy_ = columns["energy"];
    identity.q_s_ = columns["bond_nematic"];
  } else if (has_ising_identity(config) && columns.has("link_overlap")) {
    identity.energy_ = columns["energy"];
  } else {
    return {};
  }
  identity.q_l_ = columns["link_overlap"];
  if (!columns.has("bond_energy") && config.model.field == FieldKind::gaussian) {
    if (!columns.has("overlap")) return {};
    identity.q_ = columns["overlap"];
    identity.field_variance_ = config.model.field_strength * config.model.field_strength;
  }
  return identity;
}

}}  // namespace glassworks::analysis

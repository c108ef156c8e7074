#include "analysis/identity_columns.hpp"

namespace glassworks::inline analysis {

namespace {

bool has_identity(const Config& config, ModelKind kind) {
  const bool of_field = config.model.field == FieldKind::none || config.has_normal_fields();
  return config.has_normal_couplings() && config.model.spins.kind == kind && of_field &&
         config.model.anisotropy == 0.0 && config.copies > 1;
}

}  // namespace

bool has_ising_identity(const Config& config) { return has_identity(config, ModelKind::ising); }

bool has_on_identity(const Config& config) { return has_identity(config, ModelKind::on); }

std::optional<IdentityColumns> IdentityColumns::of(const Config& config, const Columns& columns) {
  if (!config.has_normal_couplings()) return {};
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

}  // namespace glassworks::inline analysis

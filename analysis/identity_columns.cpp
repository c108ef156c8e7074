#include "analysis/identity_columns.hpp"

namespace glassworks::inline analysis {

bool has_ising_identity(const Config& config) {
  return config.has_normal_couplings() && config.model.spins.kind == ModelKind::ising &&
         config.model.field == FieldKind::none && config.model.anisotropy == 0.0 && config.copies > 1;
}

bool has_on_identity(const Config& config) {
  return config.has_normal_couplings() && config.model.spins.kind == ModelKind::on &&
         config.model.field == FieldKind::none && config.model.anisotropy == 0.0 && config.copies > 1;
}

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
  return identity;
}

}  // namespace glassworks::inline analysis

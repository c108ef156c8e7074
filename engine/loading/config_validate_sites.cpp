#include <fmt/format.h>

#include <cmath>

#include "engine/config/config_value.hpp"
#include "engine/loading/config_validate.hpp"
#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace engine {
namespace {

void validate_anisotropy(const Config& config) {
  const std::string key = fmt::format("model.anisotropy = {}", config.model.anisotropy);
  if (!config.rules().fields || config.model.spins.is_discrete()) {
    refuse_pair(key, "model.type = " + write_value(config.model.spins.kind), "it is for vectors: heisenberg, on and xy",
                "Leave it out");
  }
  if (config.protocol.kind != ProtocolKind::local) {
    refuse_pair(key, cluster_setting(config.protocol), "clusters move as if there were none",
                local_moves_alone(config.protocol));
  }
  if (config.protocol.heatbath == 0) {
    refuse_pair(key, "protocol.heatbath = 0", "reflections alone are not ergodic", "Use 1 or more");
  }
}

void validate_site_dilution(const Config& config) {
  const ModelConfig& model = config.model;
  const Protocol& p = config.protocol;
  const std::string key = fmt::format("model.site_dilution = {}", model.site_dilution);
  if (!facts_of(model.spins).may_lack_sites) {
    refuse_pair(key, "model.type = " + write_value(model.spins.kind), "potts and phi4 have all their sites",
                "Leave one of them out");
  }
  if (p.kind != ProtocolKind::local) {
    refuse_pair(key, cluster_setting(p), "absent sites would count as clusters", local_moves_alone(p));
  }
  if (p.multispin != MultispinRule::off) {
    refuse_pair(key, multispin_setting(p), "its bits hold no absent sites", "Leave one of them out");
  }
  if (model.reads_couplings()) {
    refuse_pair(key, "model.couplings = " + write_value(model.couplings), "a file says which bonds are there",
                "Leave one of them out");
  }
}

}  // namespace

void validate_sites(const Config& config) {
  if (config.model.site_dilution != 0.0) validate_site_dilution(config);
  if (config.model.anisotropy != 0.0) validate_anisotropy(config);
}

void validate_bonds(const Config& config) {
  const ModelConfig& model = config.model;
  if (model.site_dilution == 0.0) return;
  constexpr double plenty = 40.0;  // bonds of a realization on average: none has no bond
  const double there = 1.0 - model.site_dilution;
  for (std::size_t i = 0; i < model.L.size(); ++i) {
    const Lattice lattice = config.lattice(model.L[i]);
    if (there * there * (1.0 - model.bond_dilution) * static_cast<double>(lattice.bonds()) > plenty) continue;
    for (const std::uint32_t realization : realization_numbers(config, i)) {
      static_cast<void>(make_disorder(config, lattice, realization));
    }
  }
}

}}  // namespace glassworks::engine

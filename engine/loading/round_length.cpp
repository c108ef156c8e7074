#include <algorithm>
#include <stdexcept>

#include "engine/loading/config_validate.hpp"

namespace glassworks { inline namespace engine {
namespace {

constexpr int fewest = 100, most = 1600;

/// Spin updates of a round of one realization beside which the work of storing it does not count: about a millisecond
/// of a fast GPU, or a tenth of that where many realizations share the words of multi-spin coding.
double worthwhile(const Protocol& protocol) { return protocol.multispin == MultispinRule::off ? 3e8 : 1e9; }

/// 100, doubled while a round would be too little work and there are enough of them for the tests of convergence. A
/// function of the configuration alone, so that a campaign is the same on every device.
int automatic_measurements(const Config& config, std::size_t size_index, std::size_t slots) {
  const Protocol& p = config.protocol;
  const int discrete = config.model.spins.is_discrete() ? 0 : 1;
  const double sweeps = discrete * p.overrelaxation + p.heatbath + std::max(p.cluster_sweeps, 0);
  const double replicas = config.replicas.copies * static_cast<double>(slots);
  const double updates = static_cast<double>(config.lattice(config.model.L.at(size_index)).sites()) * replicas *
                         p.exchanges_per_measurement * p.sweeps_per_exchange * p.tile_repeats * std::max(sweeps, 1.0);
  int measurements = fewest;
  while (measurements < most && measurements * updates < worthwhile(p)) measurements *= 2;
  return measurements;
}

}  // namespace

int measurements_of(const Config& config, std::size_t size_index) {
  const bool chosen = config.round.measurements_per_round.empty();
  return measurements_of(config, size_index, chosen ? ladder_temperatures(config, size_index).size() : 0);
}

int measurements_of(const Config& config, std::size_t size_index, std::size_t slots) {
  const std::vector<int>& given = config.round.measurements_per_round;
  if (given.empty()) return automatic_measurements(config, size_index, slots);
  return entry_of_size(given, size_index);
}

int measurements_of_L(const Config& config, int L) {
  if (config.round.measurements_per_round.size() == 1) return config.round.measurements_per_round.front();
  const auto size = std::ranges::find(config.model.L, L);
  if (size == config.model.L.end()) throw std::out_of_range("measurements_of_L: no such size");
  return measurements_of(config, static_cast<std::size_t>(size - config.model.L.begin()));
}

namespace {

/// One side of the identity of Gaussian couplings, which shows whether a campaign is in equilibrium; the bins of
/// heisenberg have it, and of ising it is 1.
bool needs_bond_nematic(const Config& config) {
  const bool of_field = config.model.field == FieldKind::none || config.has_normal_fields();
  return config.has_normal_couplings() && config.model.spins.kind == ModelKind::on && of_field &&
         config.model.anisotropy == 0.0 && config.replicas.copies > 1;
}

/// Chiralities of XY spins, as heisenberg has its own, where couplings may be of either sign.
bool needs_chirality(const Config& config) {
  const ModelConfig& model = config.model;
  return (local_observables_of(model.spins) & chiral_overlap) != 0 && model.couplings != CouplingKind::ferromagnet &&
         model.is_hypercubic() && model.dim > 1 && config.replicas.copies > 1;
}

/// Terms of the susceptibility in a field, as heisenberg has them with four copies.
bool needs_field_response(const Config& config) {
  return !config.measures(BinQuantity::chi_1) && (local_observables_of(config.model.spins) & field_response) != 0 &&
         config.model.field != FieldKind::none && config.replicas.copies == 4 &&
         config.protocol.multispin == MultispinRule::off && config.model.shapes.empty();
}

LocalSelection selection_of(const std::string& name) {
  const std::vector<std::string> names = local_names(all_local_observables());
  return LocalSelection{1} << (std::ranges::find(names, name) - names.begin());
}

/// What is measured where nothing was chosen.
LocalSelection settled_observables(const Config& config) {
  const bool has_quadrupole = (local_observables_of(config.model.spins) & selection_of("quadrupole")) != 0;
  const LocalSelection of_lattice = (needs_bond_nematic(config) ? selection_of("bond_nematic") : 0) |
                                    (has_quadrupole ? selection_of("quadrupole") : 0) |
                                    (needs_chirality(config) ? chiral_overlap : 0);
  return (config.model.has_graphs() ? 0 : of_lattice) | (config.model.shapes.empty() ? 0 : axis_modes) |
         (needs_field_response(config) ? field_response : 0);
}

}  // namespace

Config settled(Config config) {
  if (config.course.exists()) config.course.longest_round.count = settled_longest_round(config);
  if (config.round.observables == 0) config.round.observables = settled_observables(config);
  config.convergence.rule_given = config.convergence.rule();
  if (!config.round.measurements_per_round.empty()) return config;
  std::vector<int> chosen;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) chosen.push_back(measurements_of(config, i));
  if (std::ranges::adjacent_find(chosen, std::ranges::not_equal_to()) == chosen.end()) chosen.resize(1);
  config.round.measurements_per_round = std::move(chosen);
  return config;
}

}}  // namespace glassworks::engine

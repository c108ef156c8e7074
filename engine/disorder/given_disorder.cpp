#include "engine/disorder/given_disorder.hpp"

#include <fmt/format.h>

#include "engine/disorder/coupling_samples.hpp"
#include "engine/disorder/disorder_file.hpp"
#include "engine/disorder/model_graphs.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// What a file says in place of its rounded values, with their signs: those across antiperiodic ends have changed. 0
/// stays: nothing is there.
void take_values(const std::vector<double>& values, const std::filesystem::path& file, std::vector<double>& rounded) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (rounded[i] == 0.0) continue;
    const double sign = rounded[i] == static_cast<double>(static_cast<float>(values[i])) ? 1.0 : -1.0;
    if (rounded[i] != sign * static_cast<double>(static_cast<float>(values[i]))) {
      throw InputError(InputFault::changed, file.string(),
                       fmt::format("The file '{}' changed while it was being read (its values differ). Start again.",
                                   file.string()));
    }
    rounded[i] = sign * values[i];
  }
}

}  // namespace

GivenDisorder given_disorder(const Config& config, const Lattice& lattice, std::uint32_t realization,
                             const Disorder& disorder) {
  const ModelConfig& model = config.model;
  GivenDisorder given = as_rounded(disorder);
  given.anisotropy = model.anisotropy;
  const std::shared_ptr<const GivenGraph> graph = model.lattice == LatticeChoice::graph ? given_graph(model) : nullptr;
  if (model.reads_couplings() && graph) {
    const double sign = model.couplings == CouplingKind::weights ? -1.0 : 1.0;
    std::vector<double> values = graph->couplings;
    for (double& J : values) J *= sign;
    take_values(values, model.graph.file, given.couplings);
  } else if (model.reads_couplings()) {
    const std::filesystem::path file = model.couplings == CouplingKind::files
                                           ? coupling_sample(model.couplings_file, lattice.L, realization)
                                           : model.couplings_file;
    take_values(given_couplings(file, lattice), file, given.couplings);
  }
  const int components = components_of(model.spins);
  if (model.field == FieldKind::file && model.field_file.empty()) {
    take_values(graph->fields, model.graph.file, given.fields);
  } else if (model.field == FieldKind::file) {
    take_values(given_fields(model.field_file, lattice, components), model.field_file, given.fields);
  } else if (model.field == FieldKind::constant) {
    const std::vector<double> field = constant_field(model, static_cast<std::size_t>(components));
    for (std::size_t i = 0; i < given.fields.size(); ++i) {
      if (given.fields[i] != 0.0) given.fields[i] = field[i % field.size()];
    }
  }
  return given;
}

}}  // namespace glassworks::engine

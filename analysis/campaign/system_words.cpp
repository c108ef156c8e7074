#include "analysis/campaign/system_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::string model_words(const SpinModel& spins) {
  const ModelRules& rules = rules_of(spins);
  if (rules.has_q) return fmt::format("{} with q = {}", rules.name, spins.states);
  if (rules.has_n) return spins.components == 2 ? "XY model" : fmt::format("O({}) model", spins.components);
  if (rules.has_lambda) {
    return has_free_modulus(spins) ? fmt::format("O(4) φ^{{4}} model with λ = {:g}", spins.lambda)
                                   : "O(4) φ^{4} model with λ = ∞";
  }
  std::string text = rules.name;
  for (const ModelNumber& number : model_numbers) {
    if (number.kind == spins.kind) text += fmt::format(" with {} = {:g}", number.symbol, spins.*number.value);
  }
  return text;
}

std::string lattice_words(const ModelConfig& model) {
  const double degree = model.graph.degree;
  switch (model.lattice) {
    case LatticeChoice::hypercubic:
      return fmt::format("in {}D", model.dim);
    case LatticeChoice::graph:
      return "on a given graph";
    case LatticeChoice::random_regular:
      return fmt::format("on random regular graphs with z = {:g}", degree);
    case LatticeChoice::erdos_renyi:
      return fmt::format("on random graphs with {:g} neighbours on average", degree);
    case LatticeChoice::power_law:
      return fmt::format("on diluted power-law graphs with σ = {:g} and z = {:g}", model.graph.sigma, degree);
    case LatticeChoice::power_law_complete:
      return fmt::format("on the power-law chain with σ = {:g}", model.graph.sigma);
    case LatticeChoice::complete:
      return "on the complete graph";
    case LatticeChoice::bethe:
      return fmt::format("on Cayley trees with z = {:g}", degree);
    case LatticeChoice::p_spin:
      return fmt::format("with terms of {} spins, {:g} at each on average", model.graph.body, degree);
    case LatticeChoice::p_spin_regular:
      return fmt::format("with terms of {} spins, {:g} at each", model.graph.body, degree);
    case LatticeChoice::plaquette_gauge:
      return fmt::format("on the bonds of a lattice in {}D, coupled around its plaquettes", model.dim);
    default:
      return fmt::format("on the {} lattice", enum_names(model.lattice)[static_cast<std::size_t>(model.lattice)]);
  }
}

std::string boundary_words(const std::vector<AxisEnds>& ends) {
  std::string text;
  for (const auto& [kind, name] : {std::pair{AxisEnds::open, "open"}, {AxisEnds::antiperiodic, "antiperiodic"}}) {
    const auto axes = std::ranges::count(ends, kind);
    if (axes == 0) continue;
    if (axes == std::ssize(ends)) return name;
    text += fmt::format("{}{} along {} of {} axes", text.empty() ? "" : ", ", name, axes, ends.size());
  }
  return text.empty() ? "periodic" : text;
}

std::string coupling_words(const ModelConfig& model) {
  std::string text;
  switch (model.couplings) {
    case CouplingKind::gaussian:
      text = "Gaussian couplings";
      if (model.couplings_mean != 0.0) text += fmt::format(" of mean {:g}", model.couplings_mean);
      break;
    case CouplingKind::bimodal:
      text = "couplings ±1";
      if (model.bimodal_p != 0.5) text += fmt::format(", +1 with probability {:g}", model.bimodal_p);
      break;
    case CouplingKind::ferromagnet:
      text = "ferromagnetic couplings";
      break;
    case CouplingKind::file:
      text = "couplings from a file";
      break;
    case CouplingKind::weights:
      text = "couplings J = -w from the weights of a file";
      break;
    case CouplingKind::files:
      text = "couplings of each realization from a file";
      break;
  }
  if (model.bond_dilution > 0.0) text += fmt::format(", {:g} % of the bonds absent", 100.0 * model.bond_dilution);
  if (model.anisotropy != 0.0) text += fmt::format(", anisotropy D = {:g} along random axes", model.anisotropy);
  if (model.site_dilution > 0.0) text += fmt::format(", {:g} % of the sites absent", 100.0 * model.site_dilution);
  return text;
}

std::string field_words(const ModelConfig& model) {
  switch (model.field) {
    case FieldKind::none:
      return "no field";
    case FieldKind::constant:
      return fmt::format("constant field H = {:g}", model.field_strength);
    case FieldKind::sphere:
      return fmt::format("random fields of length {:g}", model.field_strength);
    case FieldKind::gaussian:
      return fmt::format("Gaussian fields of standard deviation {:g}", model.field_strength);
    case FieldKind::box:
      return fmt::format("uniform random fields up to {:g}", model.field_strength);
    case FieldKind::file:
      return "fields from a file";
  }
  return "no field";
}

}  // namespace

std::string system_words(const Config& config) {
  const ModelConfig& model = config.model;
  const std::string sizes =
      model.shapes.empty() ? fmt::format("L = {}", fmt::join(model.L, ", ")) : write_value(model.shapes);
  return fmt::format("{} {}, {}, {}; {}, {}", model_words(model.spins), lattice_words(model), sizes,
                     boundary_words(model.boundary), coupling_words(model), field_words(model));
}

}}  // namespace glassworks::analysis

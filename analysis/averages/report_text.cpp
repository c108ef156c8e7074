#include "analysis/averages/report_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/identity_columns.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "base/text.hpp"
#include "engine/config/config_value.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Row = std::vector<std::string>;
constexpr std::size_t most_listed = 20;

std::string cell(const ObservableResult& observable, std::size_t slot) {
  if (slot >= observable.at_slot.size()) return "-";
  return format_value(observable.at_slot[slot].mean, observable.at_slot[slot].error);
}

/// "Ising model", "O(2) model", "Potts model, q = 3", ...
std::string model_name(const SpinModel& model) {
  const ModelRules& rules = rules_of(model);
  std::string name = rules.has_n ? fmt::format("O({}) model", model.components) : rules.name;
  if (rules.has_q) name += fmt::format(", q = {}", model.states);
  for (const ModelNumber& number : model_numbers) {
    if (number.kind == model.kind) name += fmt::format(", {} = {}", number.symbol, model.*number.value);
  }
  if (rules.has_lambda) name += fmt::format(", lambda = {} (T = 1/(2 kappa))", model.lambda);
  return name;
}

std::string couplings_text(const ModelConfig& model) {
  std::string text = "given couplings";
  switch (model.couplings) {
    case CouplingKind::gaussian:
      text = "gaussian couplings";
      if (model.couplings_mean != 0.0) text += fmt::format(" of mean {:g}", model.couplings_mean);
      break;
    case CouplingKind::bimodal:
      text = "bimodal couplings";
      if (model.bimodal_p != 0.5) text += fmt::format(" (J = +1 with probability {:g})", model.bimodal_p);
      break;
    case CouplingKind::ferromagnet:
      text = "ferromagnetic couplings";
      break;
    case CouplingKind::file:
      break;
    case CouplingKind::weights:
      text = "couplings J = -w";
      break;
    case CouplingKind::files:
      text = "given couplings, of each realization its own";
      break;
  }
  if (model.bond_dilution != 0.0) text += fmt::format(", a fraction {:g} of the bonds absent", model.bond_dilution);
  if (model.anisotropy != 0.0) text += fmt::format(", anisotropy D = {:g} along random axes", model.anisotropy);
  if (model.site_dilution != 0.0) text += fmt::format(", a fraction {:g} of the sites absent", model.site_dilution);
  return text;
}

std::string_view text_of(FieldKind field) {
  switch (field) {
    case FieldKind::none:
      return "no field";
    case FieldKind::sphere:
      return "fields of fixed length";
    case FieldKind::gaussian:
      return "gaussian fields";
    case FieldKind::box:
      return "uniformly distributed fields";
    case FieldKind::constant:
      return "a constant field";
    case FieldKind::file:
      break;
  }
  return "given fields";
}

std::string text_of(const ModelConfig& model) {
  const std::string_view name = enum_names(model.lattice)[static_cast<std::size_t>(model.lattice)];
  if (model.lattice == LatticeChoice::hypercubic) return fmt::format("d = {}", model.dim);
  if (!model.has_positions()) return fmt::format("graph {}", name);
  return fmt::format("{} lattice, d = {}", name, model.dim);
}

std::string text_of(const std::vector<AxisEnds>& boundary) {
  constexpr const char* axes = "xyzw";
  std::string text;
  for (const auto& [kind, name] : {std::pair{AxisEnds::open, "open"}, {AxisEnds::antiperiodic, "antiperiodic"}}) {
    std::string along;
    for (std::size_t axis = 0; axis < boundary.size(); ++axis) {
      if (boundary[axis] == kind) along.append(along.empty() ? "" : ", ").append(1, axes[axis]);
    }
    if (!along.empty()) text += fmt::format(", {} ends along {}", name, along);
  }
  return text;
}

std::string model_line(const Config& config) {
  std::string text =
      fmt::format("{}, {}{}, {}, {}", model_name(config.model.spins), text_of(config.model),
                  text_of(config.model.boundary), couplings_text(config.model), text_of(config.model.field));
  if (config.has_field_strength()) text += fmt::format(" of strength {:g}", config.model.field_strength);
  if (!config.model.shapes.empty()) text += fmt::format(", shapes {}", write_value(config.model.shapes));
  return text + fmt::format(", {} {}.\n", config.replicas.copies, config.replicas.copies == 1 ? "copy" : "copies");
}

/// Whether tables have the column of an observable, if it has values.
bool is_shown(const Config& config, const char* observable) { return find_observable(observable)->is_shown(config); }

std::string heisenberg_legend(const Config& config) {
  std::string text =
      "energy per site; C = beta^2 N ([<e^2>] - [<e>_a <e>_b]); chi_SG = N [sum |q(0)|^2], two copies, normalization "
      "of\n"
      "zero field; xi_c parallel to k_min; Binder (11 - 9 r)/2, r = [q^4]/[q^2]^2; acceptance of slots t, t+1";
  if (config.has_normal_couplings()) {
    text += ";\nidentity U_J + (z/2) beta (q_s - q_l), 0 in equilibrium";
  }
  text += ".\n";
  if (config.model.field != FieldKind::none) {
    text += config.replicas.copies == 4
                ? "In a field chi_SG is not connected; the column (field) is: N (chi_1 - 2 chi_2 + chi_3).\n"
                : "In a field chi_SG is not connected; a connected one, and its xi_L, need four copies.\n";
  }
  return text;
}

std::string cluster_legend(const Config& config) {
  std::string text;
  if (is_one_system(config)) {
    text = fmt::format("{}: realizations are independent runs of one system.\n",
                       config.is_pure() ? "All couplings are 1" : "All realizations have the couplings of one file");
  }
  text += "energy per site; ";
  if (config.replicas.copies > 1) {
    text += "C = beta^2 N ([<e^2>] - [<e>_a <e>_b])";
  } else if (is_one_system(config)) {
    text += "C = beta^2 N ([<e^2>] - [<e>]^2)";
  } else {
    text += "no C, which needs two copies of each realization";
  }
  if (is_shown(config, "magnetization_binder")) {
    const int n = order_parameter_components(config.model.spins);
    text += fmt::format("; Binder of m ({} - {} r)/2, r = [m^4]/[m^2]^2", n + 2, n);
  }
  std::vector<std::string> lengths;
  if (is_shown(config, "xi_m_over_L")) lengths.emplace_back("xi_m from the magnetization at 0 and k_min");
  if (is_shown(config, "chi_m_improved")) {
    lengths.emplace_back("chi (clusters) = N [m^2] by its improved estimator");
  }
  if (config.replicas.copies > 1) {
    lengths.emplace_back(is_shown(config, "xi_over_L") ? "chi_SG = N [q^2], xi_L and Binder of q from the overlap"
                                                       : "chi_SG = N [q^2] from the overlap");
  }
  if (!lengths.empty()) text += fmt::format(";\n{}", fmt::join(lengths, "; "));
  const bool triangles = config.measures(BinQuantity::triangle_chirality_2);
  if (triangles && config.measures(BinQuantity::chiral_kmin_perpendicular)) {
    text += ";\nxi_c from the overlap of the chiralities of triangles";
  } else if (!triangles && config.measures(BinQuantity::chiral_zero)) {
    text += fmt::format(";\nxi_c from the chiral overlap, k_min {} to the normals of plaquettes",
                        config.model.dim > 2 ? "parallel" : "perpendicular");
  }
  if (has_on_identity(config) || has_ising_identity(config)) {
    text += fmt::format(";\nidentity e + (z/2) beta ({} - q_l){}, 0 in equilibrium",
                        has_on_identity(config) ? "bond_nematic" : "1",
                        config.model.field == FieldKind::gaussian ? " + beta h^2 (1 - q)" : "");
  }
  text += ".\n";
  if (config.model.field != FieldKind::none) {
    text += "In a field m, q and chi hold the mean that the field gives: they are not connected";
    text += measures_field_response(config) ? "; the column (field) is: N (chi_1 - 2 chi_2 + chi_3).\n" : ".\n";
  }
  return text;
}

/// Whether replicas walk through temperatures.
bool has_walk(const Config& config, std::size_t slots) {
  return slots > 1 && config.protocol.exchange != ExchangeSchedule::none;
}

/// Whether there is a value at some temperature, with an error if there can be one. A length of correlations that are
/// noise is a number in some of the samples that make the error.
bool has_values(const ObservableResult& observable) {
  return std::ranges::any_of(observable.at_slot, [](const Estimate& e) {
    return std::isfinite(e.mean) && (std::isfinite(e.error) || e.independent() < 2);
  });
}

/// An observable of a size with the heading of its column.
struct TableColumn {
  std::string heading;
  const ObservableResult* observable;
};

/// Those that were chosen, or else those that tables usually show.
std::vector<TableColumn> table_columns(const AnalysisResult& result, const SizeResult& size) {
  std::vector<TableColumn> columns;
  for (const std::string& name : result.chosen) {
    const Observable* row = find_observable(name);
    const bool named = row != nullptr && !row->column.heading.empty();
    if (const ObservableResult* one = size.find(name)) columns.push_back({named ? row->column.heading : name, one});
  }
  if (!result.chosen.empty()) return columns;
  for (const Observable* row : observables_by_place([](const Observable& one) { return one.column.place; })) {
    const ObservableResult* one = size.find(row->name);
    if (one == nullptr || !row->is_shown(result.config) || size.find(row->column.instead_of) != nullptr) continue;
    if (has_values(*one)) columns.push_back({row->column.heading, one});
  }
  return columns;
}

/// A row for each temperature, a column for each observable that is shown: text(observable, slot).
template <typename Text>
std::string observables_table(const AnalysisResult& result, const SizeResult& size, const Text& text) {
  std::vector<Row> rows(size.temperatures.size() + 1);
  rows[0].emplace_back("T");
  for (std::size_t t = 0; t < size.temperatures.size(); ++t)
    rows[t + 1] = {fmt::format("{:.5g}", size.temperatures[t])};
  for (const auto& [heading, observable] : table_columns(result, size)) {
    rows[0].push_back(heading);
    for (std::size_t t = 0; t < size.temperatures.size(); ++t) rows[t + 1].push_back(text(*observable, t));
  }
  return format_table(rows);
}

/// The largest deviation over the temperatures in each step and quantity.
std::string log_bin_table(const SizeResult& size) {
  const auto moves = [](const Estimate& d) { return d.mean != 0.0 || d.error > 0.0; };
  const bool chirality = std::any_of(size.log_bins.begin(), size.log_bins.end(), [&](const LogBinStep& step) {
    return std::any_of(step.further[1].begin(), step.further[1].end(), moves);
  });
  std::vector<Row> rows = {{"bins", "realizations", "energy", "sigma", "at T", size.order_parameter, "sigma", "at T"}};
  if (chirality) rows[0].insert(rows[0].end(), {"|q_c|^2", "sigma", "at T"});
  for (const LogBinStep& step : size.log_bins) {
    Row row = {log_bin_name(step.bin) + " - " + log_bin_name(step.bin + 1),
               std::to_string(step.difference[0].front().realizations)};
    std::vector<std::vector<Estimate>> shown(std::begin(step.difference), std::end(step.difference));
    if (chirality) shown.push_back(step.further[1]);
    for (const std::vector<Estimate>& difference : shown) {
      const auto worst =
          std::max_element(difference.begin(), difference.end(),
                           [](const Estimate& a, const Estimate& b) { return significance(a) < significance(b); });
      const double T = size.temperatures[static_cast<std::size_t>(worst - difference.begin())];
      row.push_back(format_value(worst->mean, worst->error));
      row.push_back(fmt::format("{:.1f}", significance(*worst)));
      row.push_back(fmt::format("{:.5g}", T));
    }
    rows.push_back(row);
  }
  return format_table(rows);
}

std::string unconverged_list(const SizeResult& size, Selection selection) {
  if (size.unconverged.empty()) return {};
  std::string text = fmt::format("Not converged, {} the averages:\n",
                                 selection == Selection::all_with_data ? "but part of" : "and left out of");
  for (std::size_t i = 0; i < std::min(size.unconverged.size(), most_listed); ++i) {
    const RealizationRow& row = size.unconverged[i];
    text += fmt::format("  realization {}: {} rounds, {} round trips, {}{}\n", row.key.realization, row.rounds,
                        row.round_trips, to_string(row.status),
                        row.reason.empty() ? "" : " (" + visible_line(row.reason) + ")");
  }
  if (size.unconverged.size() > most_listed) {
    text += fmt::format("  and {} more\n", size.unconverged.size() - most_listed);
  }
  return text;
}

/// The correlation length of a campaign: of the overlap, in a field of its connected part, or of the magnetization.
const Observable* correlation_length_of(const AnalysisResult& result) {
  for (const char* name : {"xi_over_L", "xi_field_over_L", "xi_m_over_L"}) {
    const Observable* row = find_observable(name);
    const bool is_chosen = result.chosen.empty() || std::ranges::find(result.chosen, row->name) != result.chosen.end();
    if (is_chosen && row->is_shown(result.config)) return row;
  }
  return nullptr;
}

}  // namespace

std::string size_text(const AnalysisResult& result, const SizeResult& size) {
  const RealizationCounts& counts = size.counts;
  std::string text = fmt::format("L = {}: {} of {} realizations used\n", size.L, counts.used, counts.total);
  if (counts.used > 0) {
    text += fmt::format("{} to {} rounds", size.fewest_rounds, size.most_rounds);
    if (has_walk(result.config, size.temperatures.size())) {
      text += fmt::format("; round trips per realization {}, fewest {}",
                          format_value(size.round_trips.mean, size.round_trips.error), size.fewest_round_trips);
    }
    text += "\n";
    if (counts.used == 1)
      text += "One realization: there are no errors, since they come from the spread over realizations.\n";
    text += "\n" + observables_table(result, size, cell);
    if (const std::string sentence = size.groups.sentence(); !sentence.empty()) text += "\n" + sentence + "\n";
    if (size.groups.state == GroupState::correlated) {
      text += "Standard errors over realizations / over groups:\n" + observables_table(result, size, both_errors);
    }
    if (!size.log_bins.empty()) {
      text += "\nDifference of consecutive logarithmic bins, the temperature where it is most significant:\n" +
              log_bin_table(size);
    }
  }
  const std::string unconverged = unconverged_list(size, result.selection);
  if (!unconverged.empty()) text += "\n" + unconverged;
  text += "\nVerdict for L = " + std::to_string(size.L) + ": " + size.verdict.lines.front() + ".\n";
  for (std::size_t i = 1; i < size.verdict.lines.size(); ++i) text += "  - " + size.verdict.lines[i] + "\n";
  return text;
}

std::string xi_table(const AnalysisResult& result) {
  const Observable* length = correlation_length_of(result);
  if (length == nullptr) return {};
  std::vector<const SizeResult*> sizes;
  for (const SizeResult& size : result.sizes) {
    if (size.counts.used > 0) sizes.push_back(&size);
  }
  const bool shared = std::all_of(sizes.begin(), sizes.end(), [&](const SizeResult* size) {
    return size->temperatures == sizes.front()->temperatures;
  });
  std::string text = length->column.heading + " against T\n";
  std::vector<std::vector<const SizeResult*>> tables;
  for (const SizeResult* size : sizes) {
    if (tables.empty() || !shared) tables.emplace_back();
    tables.back().push_back(size);
  }
  for (const std::vector<const SizeResult*>& table : tables) {
    std::vector<Row> rows = {{"T"}};
    for (const SizeResult* size : table) rows[0].push_back(fmt::format("L = {}", size->L));
    for (std::size_t t = 0; t < table.front()->temperatures.size(); ++t) {
      Row& row = rows.emplace_back(Row{fmt::format("{:.5g}", table.front()->temperatures[t])});
      for (const SizeResult* size : table) {
        const ObservableResult* xi = size->find(length->name);
        row.push_back(xi == nullptr ? "-" : cell(*xi, t));
      }
    }
    text += format_table(rows);
  }
  return text;
}

std::string verdict_table(const AnalysisResult& result) {
  std::vector<Row> rows = {{"L", "realizations", "converged", "verdict"}};
  for (const SizeResult& size : result.sizes) {
    rows.push_back({std::to_string(size.L), std::to_string(size.counts.used),
                    fmt::format("{} of {}", size.counts.converged, size.counts.total), to_string(size.verdict.state)});
  }
  return format_table(rows);
}

std::string left_out_sentence(const Config& config) {
  const double share = config.convergence.left_out;
  if (share == 0.0) return {};
  return fmt::format(
      "Averages leave out the first {:g} % of the rounds of each history (convergence.left_out = {}), "
      "whatever its autocorrelation times.",
      100.0 * share, share);
}

std::string report_text(const AnalysisResult& result) {
  std::string text = model_line(result.config);
  text +=
      "Averages over the rounds of each realization after its equilibration, then over realizations; value(error), the "
      "error in\n"
      "units of the last digits, from the jackknife over realizations; nan: not available from these data.\n";
  if (const std::string left_out = left_out_sentence(result.config); !left_out.empty()) text += left_out + "\n";
  text +=
      result.config.measures(BinQuantity::overlap_k) ? heisenberg_legend(result.config) : cluster_legend(result.config);
  text += result.selection == Selection::all_with_data
              ? "Every realization with at least one round is used, converged or not.\n"
              : "Only converged realizations are used: leaving out the hard ones biases the disorder averages.\n";
  for (const SizeResult& size : result.sizes) text += "\n" + size_text(result, size);
  if (const std::string lengths = xi_table(result); !lengths.empty()) text += "\n" + lengths;
  return text + "\n" + verdict_table(result);
}

}}  // namespace glassworks::analysis

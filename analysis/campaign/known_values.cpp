#include "analysis/campaign/known_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace glassworks { inline namespace analysis {
namespace {

/// Figures against T in which a transition shows.
constexpr std::string_view figures_of_transitions[] = {
    "xi_over_L", "overlap_binder", "binder",        "chi_sg",       "xi_m_over_L", "magnetization_binder",
    "chi_m",     "chi_m_improved", "specific_heat", "wrapping_any", "energy",      "xi_chiral_over_L"};

bool is_plain(const ModelConfig& model) {
  return model.field == FieldKind::none && model.bond_dilution == 0.0 && model.site_dilution == 0.0 &&
         model.anisotropy == 0.0;
}

bool is_ferromagnet(const ModelConfig& model) {
  return model.couplings == CouplingKind::ferromagnet ||
         (model.couplings == CouplingKind::bimodal && model.bimodal_p == 1.0);
}

bool is_hypercubic(const ModelConfig& model, int dim) {
  return model.lattice == LatticeChoice::hypercubic && model.dim == dim;
}

KnownTemperature exact(double T) {
  return {.T = T, .error = 0.0, .label = "T_{c} exact", .source = "infinite lattice"};
}

std::optional<KnownTemperature> of_ising_ferromagnet(const ModelConfig& model) {
  const double root3 = std::sqrt(3.0);
  if (is_hypercubic(model, 2)) return exact(2.0 / std::log1p(std::numbers::sqrt2));
  switch (model.lattice) {
    case LatticeChoice::triangular:
      return exact(4.0 / std::log(3.0));
    case LatticeChoice::honeycomb:
      return exact(2.0 / std::log(2.0 + root3));
    case LatticeChoice::kagome:
      return exact(4.0 / std::log(3.0 + 2.0 * root3));
    case LatticeChoice::random_regular:
      return exact(1.0 / std::atanh(1.0 / (model.graph.degree - 1.0)));
    default:
      break;
  }
  if (!is_hypercubic(model, 3)) return std::nullopt;
  return KnownTemperature{.T = 1.0 / 0.221654626,
                          .error = 0.0,
                          .label = "T_{c} published",
                          .source = "Ferrenberg, Xu and Landau, Phys. Rev. E 97, 043301 (2018)"};
}

std::optional<KnownTemperature> of_ising_glass(const ModelConfig& model) {
  const bool bimodal = model.couplings == CouplingKind::bimodal && model.bimodal_p == 0.5;
  const bool gaussian = model.couplings == CouplingKind::gaussian && model.couplings_mean == 0.0;
  if (bimodal && model.lattice == LatticeChoice::random_regular && model.graph.degree > 2.0) {
    return exact(1.0 / std::atanh(1.0 / std::sqrt(model.graph.degree - 1.0)));
  }
  if (!is_hypercubic(model, 3)) return std::nullopt;
  if (bimodal) {
    return KnownTemperature{.T = 1.1019,
                            .error = 0.0029,
                            .label = "T_{c} published",
                            .source = "Baity-Jesi et al., Phys. Rev. B 88, 224416 (2013)"};
  }
  if (gaussian) {
    return KnownTemperature{.T = 0.951,
                            .error = 0.009,
                            .label = "T_{c} published",
                            .source = "Katzgraber, Körner and Young, Phys. Rev. B 73, 224432 (2006)"};
  }
  return std::nullopt;
}

/// Where gauge symmetry gives the energy: Nishimori, Prog. Theor. Phys. 66, 1169 (1981).
std::optional<KnownTemperature> nishimori(const ModelConfig& model) {
  double T = 0.0;
  if (model.couplings == CouplingKind::bimodal && model.bimodal_p > 0.5 && model.bimodal_p < 1.0) {
    T = 2.0 / std::log(model.bimodal_p / (1.0 - model.bimodal_p));
  } else if (model.couplings == CouplingKind::gaussian && model.couplings_mean > 0.0) {
    T = 1.0 / model.couplings_mean;
  } else {
    return std::nullopt;
  }
  return KnownTemperature{
      .T = T, .error = 0.0, .label = "Nishimori line", .source = "Nishimori, Prog. Theor. Phys. 66, 1169 (1981)"};
}

/// -[J] bonds per site; none where the ends change J, or where a bond of a site is missing.
std::optional<double> nishimori_energy(const Config& config) {
  const ModelConfig& model = config.model;
  const bool closed = std::ranges::all_of(model.boundary, [](AxisEnds ends) { return ends == AxisEnds::periodic; });
  if (!closed || !model.is_hypercubic() || model.L.empty()) return std::nullopt;
  const double mean = model.couplings == CouplingKind::bimodal ? 2.0 * model.bimodal_p - 1.0 : model.couplings_mean;
  return -mean * config.lattice(model.L.front()).bonds_per_site();
}

/// Whether a temperature lies between the lowest and the highest of a figure.
bool contains(const Figure& figure, double T) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& series : figure.series) {
    for (const double x : series.x) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  const double margin = 1e-6 * (high - low);
  return T >= low - margin && T <= high + margin;
}

void add(const KnownTemperature& known, const Config& config, Figure& figure) {
  if (!contains(figure, known.T)) return;
  figure.guides.push_back({Guide::Direction::vertical, known.T, known.error, known.label});
  figure.caption += fmt::format(" {}: T = {:.6g}{} ({}).", known.label, known.T,
                                known.error > 0.0 ? fmt::format(" ± {:g}", known.error) : "", known.source);
  if (figure.id != "energy" || known.label.starts_with("T_{c}")) return;
  if (const std::optional<double> e = nishimori_energy(config)) {
    figure.series.push_back({.name = "exact", .style = SeriesStyle::points, .x = {known.T}, .y = {*e}});
  }
}

}  // namespace

std::vector<KnownTemperature> known_temperatures(const Config& config) {
  const ModelConfig& model = config.model;
  std::vector<KnownTemperature> known;
  if (!is_plain(model)) return known;
  const auto keep = [&](const std::optional<KnownTemperature>& one) {
    if (one) known.push_back(*one);
  };
  if (model.spins.kind == ModelKind::ising) {
    if (is_ferromagnet(model)) {
      keep(of_ising_ferromagnet(model));
    } else {
      keep(of_ising_glass(model));
      keep(nishimori(model));
    }
  } else if (model.spins.kind == ModelKind::potts && is_ferromagnet(model) && is_hypercubic(model, 2)) {
    keep(exact(1.0 / std::log1p(std::sqrt(static_cast<double>(model.spins.states)))));
  }
  return known;
}

void add_known_values(std::vector<Section>& sections, const Config& config) {
  const std::vector<KnownTemperature> known = known_temperatures(config);
  if (known.empty()) return;
  for (Section& section : sections) {
    for (Item& item : section.items) {
      auto* figure = std::get_if<Figure>(&item);
      if (figure == nullptr || figure->x.label != "T") continue;
      if (std::ranges::find(figures_of_transitions, figure->id) == std::end(figures_of_transitions)) continue;
      for (const KnownTemperature& one : known) add(one, config, *figure);
    }
  }
}

}}  // namespace glassworks::analysis

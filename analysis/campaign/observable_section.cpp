#include "analysis/campaign/observable_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/cluster_estimators.hpp"
#include "analysis/statistics/estimator_curves.hpp"
#include "analysis/value_format.hpp"

namespace glassworks {
namespace {

enum class Models { all, other };  ///< other: than heisenberg

struct Shown {
  const char *name, *label, *title, *caption;
  bool logarithmic = false;
  Models models = Models::all;
};

/// In the order of the report. An observable that a campaign does not have is left out.
constexpr Shown shown[] = {
    {"xi_over_L", "ξ_{L}/L", "Correlation length of the spin glass",
     "Second-moment correlation length ξ_{L} = [χ_{SG}(0)/χ_{SG}(k_{min}) - 1]^{1/2} / [2 sin(k_{min}/2)] over L, "
     "k_{min} "
     "averaged over the axes. Curves of different sizes cross where the system is scale invariant."},
    {"xi_chiral_over_L", "ξ_{c}^{∥}/L", "Chiral correlation length, parallel",
     "The same from the chiral overlap, chirality along k_{min}."},
    {"xi_chiral_perp_over_L", "ξ_{c}^{⊥}/L", "Chiral correlation length, perpendicular",
     "The same from the chiral overlap, chirality perpendicular to k_{min}."},
    {"xi_field_over_L", "ξ_{L}/L (field)", "Connected correlation length in a field",
     "From the connected susceptibility N(χ_{1} - 2χ_{2} + χ_{3}) of four copies."},
    {"chi_sg", "χ_{SG}", "Spin-glass susceptibility", "χ_{SG} = N [Σ_{μν} |q^{μν}(0)|^{2}], two copies.", true},
    {"chi_cg", "χ_{CG}", "Chiral-glass susceptibility", "χ_{CG} = N [|q_{c}(0)|^{2}], averaged over the axes.", true},
    {"chi_sg_field", "χ_{SG} (field)", "Connected spin-glass susceptibility in a field",
     "N(χ_{1} - 2χ_{2} + χ_{3}) at k = 0; without a field a third of the two-copy χ_{SG}.", true},
    {"binder", "g", "Binder cumulant of the overlap",
     "g = (11 - 9 [q^{4}]/[q^{2}]^{2})/2 with q^{2} = Σ_{μν} (q^{μν})^{2}: 0 for a Gaussian, 1 for a fixed modulus."},
    {"chiral_binder", "g_{c}", "Binder cumulant of the chiral overlap", "g_{c} = (3 - [q_{c}^{4}]/[q_{c}^{2}]^{2})/2."},
    {"overlap_binder", "g_{q}", "Binder cumulant of the overlap",
     "g = (k + 2 - k [q^{4}]/[q^{2}]^{2})/2, k components of the overlap (1 of ising and potts, n^{2} of vectors): 0 "
     "for a Gaussian, 1 for a fixed modulus."},
    {"xi_m_over_L", "ξ_{m}/L", "Correlation length of the magnetization",
     "Second-moment correlation length from m^{2} at k = 0 and k_{min}, over L. Curves of different sizes cross where "
     "the system is scale invariant."},
    {"xi_m_improved_over_L", "ξ_{m}/L (clusters)", "Correlation length from clusters",
     "The same from the improved estimators of Swendsen-Wang clusters."},
    {"magnetization_binder", "g_{m}", "Binder cumulant of the magnetization",
     "g = (n + 2 - n [m^{4}]/[m^{2}]^{2})/2, n components of the order parameter (q - 1 of potts): 0 for a Gaussian, 1 "
     "for a fixed modulus.",
     false, Models::other},
    {"magnetization_abs", "|m|", "Magnetization", "|m|; of potts m^{2} = (q Σ_{a} ρ_{a}^{2} - 1)/(q - 1)."},
    {"chi_m_improved", "χ_{m} (clusters)", "Magnetic susceptibility from clusters",
     "N [⟨m^{2}⟩] by its improved estimator, which has smaller errors above the transition.", true},
    {"chi_m_connected", "χ_{m} (connected)", "Connected magnetic susceptibility", "N ([⟨m^{2}⟩] - [⟨|m|⟩]^{2}).", true},
    {"energy", "e", "Energy per site", "e = E/N in units of the couplings."},
    {"specific_heat", "C", "Specific heat per site",
     "C = β^{2} N ([⟨e^{2}⟩] - [⟨e⟩_{a}⟨e⟩_{b}]), a and b different copies, so that the square of the average has no "
     "bias; with one copy of a pure system [⟨e⟩]^{2} over independent runs."},
    {"modulus_2", "φ^{2}", "Modulus of the field", "φ^{2} = (1/N) Σ φ_{i}^{2}."},
    {"clusters", "n_{cl}", "Clusters per site", "Number of Swendsen-Wang clusters over N."},
    {"largest_cluster", "P_{max}", "Largest cluster", "Part of the sites in the largest Swendsen-Wang cluster."},
    {"mean_cluster", "S", "Mean size of the cluster of a site", "Σ n_{c}^{2}/N over Swendsen-Wang clusters.", true},
    {"wrapping_any", "R_{any}", "Wrapping along some axis",
     "Probability that a Swendsen-Wang cluster wraps around the lattice along at least one axis."},
    {"wrapping_all", "R_{all}", "Wrapping along every axis", "Probability that one cluster wraps along every axis."},
    {"link_overlap", "q_{l}", "Link overlap", "q_{l} = (1/N_{b}) Σ (s_{i}·s_{j})^{(a)} (s_{i}·s_{j})^{(b)}."},
    {"overlap", "q", "Overlap", "q = (1/N) Σ s_{i}^{(a)}·s_{i}^{(b)}; 0 without a field."},
    {"chi_m", "χ_{m}", "Magnetic susceptibility", "χ_{m} = N [⟨m^{2}⟩]."},
    {"identity_difference", "ΔU", "Identity of Gaussian couplings",
     "U_{J} + (z/2) β (q_{s} - q_{l}): zero in equilibrium. A deviation beyond its errors at low temperature says that "
     "realizations are not equilibrated."},
    {"field_identity_difference", "ΔU_{H}", "Identity of Gaussian fields",
     "-(1/N)[Σ H·s] + β h^{2} (1 - [q]): zero in equilibrium."},
};

Series at_slots(const Curve& curve) {
  Series series{.name = fmt::format("L = {}", curve.L), .style = SeriesStyle::points};
  for (std::size_t t = 0; t < curve.temperatures.size(); ++t) {
    series.x.push_back(curve.temperatures[t]);
    series.y.push_back(curve.value[t]);
    series.y_error.push_back(curve.error(t));
  }
  return series;
}

/// At most 121 points of the curve between the slots: it is smooth, and pages stay small.
Series between_slots(const Curve& curve, Continuation how) {
  const char* made = how == Continuation::reweighted ? "reweighted" : "interpolated";
  Series series{.name = fmt::format("L = {}, {}", curve.L, made), .style = SeriesStyle::band};
  series.group = fmt::format("L = {}", curve.L);
  const std::size_t stride = (curve.temperatures.size() + 119) / 120, last = curve.temperatures.size() - 1;
  for (std::size_t t = 0; t < last + stride; t += stride) {
    const std::size_t at = std::min(t, last);
    series.x.push_back(curve.temperatures[at]);
    series.y.push_back(curve.value[at]);
    series.y_error.push_back(curve.error(at));
  }
  return series;
}

Series reference_series(const ReferencePoints& points) {
  Series series{.name = fmt::format("L = {}, reference", points.L), .style = SeriesStyle::points};
  series.x = points.temperatures;
  series.y = points.mean;
  series.y_error = points.error;
  return series;
}

bool is_finite_somewhere(const Curve& curve) {
  return std::any_of(curve.value.begin(), curve.value.end(), [](double y) { return std::isfinite(y); });
}

Figure observable_figure(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference, const Shown& o) {
  Figure figure{.id = o.name, .title = o.title, .caption = o.caption, .x = {"T"}, .y = {o.label, o.logarithmic}};
  for (const SizeAnalysis& size : analysis.sizes) {
    const Curve* points = find_curve(size.at_slots, o.name);
    if (points == nullptr || !is_finite_somewhere(*points)) continue;
    figure.series.push_back(at_slots(*points));
    const Curve* between = find_curve(size.between, o.name);
    if (between != nullptr) figure.series.push_back(between_slots(*between, size.continuation));
  }
  if (figure.series.empty()) return figure;
  for (const ReferencePoints& points : reference) {
    if (points.observable == o.name) figure.series.push_back(reference_series(points));
  }
  const bool vanishes = std::string(o.name).ends_with("identity_difference");
  if (vanishes) figure.guides.push_back({Guide::Direction::horizontal, 0.0, 0.0, "equilibrium"});
  return figure;
}

bool is_one_system_of_others(const OfflineAnalysis& analysis) {
  const Config& config = analysis.averages.config;
  return !config.is_heisenberg() && is_one_system(config);
}

bool is_shown(const OfflineAnalysis& analysis, const Shown& o) {
  return o.models == Models::all || !analysis.averages.config.is_heisenberg();
}

Table size_table(const OfflineAnalysis& analysis, const SizeAnalysis& size) {
  Table table{
      .id = fmt::format("averages_L{}", size.L),
      .title = fmt::format("Averages of L = {}", size.L),
      .caption = is_one_system_of_others(analysis)
                     ? "Averages over independent runs; errors of the last digits in parentheses."
                     : "Disorder averages at the temperatures of the ladder; errors of the last digits in parentheses.",
      .rows = {{"T"}}};
  std::vector<const Curve*> curves;
  for (const Shown& o : shown) {
    const Curve* curve = find_curve(size.at_slots, o.name);
    if (curve == nullptr || !is_finite_somewhere(*curve) || !is_shown(analysis, o)) continue;
    curves.push_back(curve);
    table.rows.front().emplace_back(o.label);
  }
  if (curves.empty()) return table;
  for (std::size_t t = 0; t < curves.front()->temperatures.size(); ++t) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(fmt::format("{:.5g}", curves.front()->temperatures[t]));
    for (const Curve* curve : curves) row.push_back(format_value(curve->value[t], curve->error(t)));
  }
  return table;
}

std::string realizations_sentence(const OfflineAnalysis& analysis) {
  const bool runs = is_one_system_of_others(analysis);
  std::string text = "Averages over ";
  for (std::size_t i = 0; i < analysis.sizes.size(); ++i) {
    const SizeAnalysis& size = analysis.sizes[i];
    text += fmt::format("{}{} {} of L = {}", i == 0 ? "" : ", ", size.at_slots.front().realizations,
                        runs ? "independent runs" : "realizations", size.L);
  }
  return text +
         "; errors by the jackknife over realizations, which hold the whole covariance between temperatures and "
         "observables.";
}

}  // namespace

Section observable_section(const OfflineAnalysis& analysis, std::span<const ReferencePoints> reference) {
  Section section{.id = "observables", .title = "Observables", .paragraphs = {}, .items = {}};
  if (analysis.sizes.empty()) return section;
  section.paragraphs.push_back(realizations_sentence(analysis));
  for (const SizeAnalysis& size : analysis.sizes) {
    if (!size.continuation_remark.empty()) section.paragraphs.push_back(size.continuation_remark);
  }
  for (const Shown& o : shown) {
    if (!is_shown(analysis, o)) continue;
    Figure figure = observable_figure(analysis, reference, o);
    if (!figure.series.empty()) section.items.emplace_back(std::move(figure));
  }
  for (const SizeAnalysis& size : analysis.sizes) section.items.emplace_back(size_table(analysis, size));
  return section;
}

std::string observable_label(const std::string& name) {
  for (const Shown& o : shown) {
    if (name == o.name) return o.label;
  }
  return name;
}

}  // namespace glassworks

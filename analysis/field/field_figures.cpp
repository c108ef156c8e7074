#include "analysis/field/field_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analysis/basics/value_format.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Sizes = std::span<const FieldCurves>;
constexpr int curve_points = 60;

void add_curve(Figure& figure, const std::string& name, const Curve& curve) {
  add_series(figure, against_temperatures(name, curve.temperatures, [&](std::size_t t) { return curve.at(t); }));
}

template <typename CurveOf>
Figure against_T(const std::string& id, const std::string& title, const std::string& symbol, const std::string& caption,
                 Sizes sizes, const CurveOf& curve_of) {
  Figure f{id, title, caption, {"T", false}, {symbol, false}};
  for (const FieldCurves& size : sizes) add_curve(f, size_label(size.L), curve_of(size));
  return f;
}

Figure terms_figure(const FieldCurves& size) {
  Figure f{
      "field_terms",
      fmt::format("The three terms of the connected susceptibility, L = {}", size.L),
      "N χ_{1}, N χ_{2}, N χ_{3} at k = 0 of the largest size and χ_{SG} = N (χ_{1} - 2χ_{2} + χ_{3}). In a field each "
      "term grows with N while χ_{SG} is their small difference: its error is that of the difference, the terms "
      "fluctuate together from realization to realization.",
      {"T", false},
      {"N χ", true}};
  add_curve(f, "N χ_{1}", size.chi_1);
  add_curve(f, "N χ_{2}", size.chi_2);
  add_curve(f, "N χ_{3}", size.chi_3);
  add_curve(f, "χ_{SG}", size.chi.front());
  return f;
}

std::string quantity_symbol(const std::string& observable) {
  if (observable == "xi_field_over_L") return "ξ_{L}/L";
  if (observable == "xi_field_small_k_over_L") return "ξ_{L}/L (small k)";
  if (observable == "xi_chiral_field_over_L") return "ξ_{c}^{∥}/L";
  if (observable == "xi_chiral_perp_field_over_L") return "ξ_{c}^{⊥}/L";
  return "R_{12}";
}

/// Of the chirality, where the terms of its connected susceptibility are measured.
std::vector<Figure> chiral_figures(Sizes sizes) {
  std::vector<Figure> figures;
  const auto add = [&](Curve FieldCurves::*curve, const std::string& id, const std::string& title,
                       const std::string& symbol, const std::string& caption) {
    if ((sizes.front().*curve).temperatures.empty()) return;
    figures.push_back(against_T(id, title, symbol, caption, sizes,
                                [curve](const FieldCurves& c) -> const Curve& { return c.*curve; }));
  };
  add(&FieldCurves::chi_chiral, "chi_cg_field", "Connected chiral-glass susceptibility in a field", "χ_{CG}",
      "χ_{CG}(k = 0) = N [χ_{1} - 2χ_{2} + χ_{3}] of the chirality of four copies, averaged over the axes.");
  const std::string caption =
      "From the connected χ_{CG} at k = 0 and k_{min}. At a transition of the chirality in the field the curves of "
      "different sizes cross.";
  add(&FieldCurves::xi_chiral_over_L, "xi_chiral_field_over_L",
      "Chiral correlation length in a field, chirality along k_{min}", "ξ_{c}^{∥}/L", caption);
  add(&FieldCurves::xi_chiral_perp_over_L, "xi_chiral_perp_field_over_L",
      "Chiral correlation length in a field, chirality perpendicular to k_{min}", "ξ_{c}^{⊥}/L", caption);
  return figures;
}

Estimate at_lowest(const Curve& curve) { return curve.at(0); }

}  // namespace

std::vector<Figure> field_observable_figures(Sizes sizes) {
  std::vector<Figure> figures;
  Figure chi = against_T("chi_sg_field", "Connected spin-glass susceptibility in a field", "χ_{SG}",
                         "χ_{SG}(k = 0) = N [χ_{1} - 2χ_{2} + χ_{3}] of four copies, jackknife errors over "
                         "realizations. It stays finite as L grows unless there is a spin-glass phase in the field. "
                         "Points that are negative or scatter by more than their errors mean too few realizations.",
                         sizes, [](const FieldCurves& c) -> const Curve& { return c.chi.front(); });
  chi.y.logarithmic = true;
  figures.push_back(std::move(chi));
  figures.push_back(terms_figure(sizes.back()));
  figures.push_back(against_T("xi_field_over_L", "Correlation length in a field", "ξ_{L}/L",
                              "ξ_{L} = (χ(0)/χ(k_{min}) - 1)^{1/2} / (2 sin(k_{min}/2)) of the connected χ_{SG}. At a "
                              "transition in the field the curves of different sizes cross; if larger sizes lie lower "
                              "at every temperature there is none in this range.",
                              sizes, [](const FieldCurves& c) -> const Curve& { return c.xi_over_L; }));
  figures.push_back(
      against_T("xi_field_small_k_over_L", "Correlation length in a field from small wave vectors without k = 0",
                "ξ_{L}/L (small k)",
                "ξ = (b/a)^{1/2} from the fit 1/χ(k) = a + b k^{2} + c k^{4}, k^{2} = 4 Σ sin^{2}(k_{a}/2), over "
                "k_{min} and 2k_{min} (then c = 0), of Heisenberg spins (1,1,0) and (1,1,1) too. χ(0) is left out, "
                "since rare realizations and corrections to "
                "scaling affect it most. Points are missing where the extrapolated 1/χ(0) is not positive.",
                sizes, [](const FieldCurves& c) -> const Curve& { return c.small_k.xi_over_L; }));
  Figure r = against_T(
      "r_12_field", "Ratio of susceptibilities at small wave vectors", "R_{12}",
      "R_{12} = χ(k_{1})/χ(k_{2}), k_{1} = k_{min}, k_{2} = (1,1,0) of Heisenberg spins and 2k_{min} of others: one "
      "without correlations, larger the longer they "
      "reach. Curves of different sizes cross at a transition, as those of ξ_{L}/L do, but without the use of k = 0.",
      sizes, [](const FieldCurves& c) -> const Curve& { return c.r_12; });
  r.guides.push_back(horizontal_guide(1.0, "no correlations"));
  figures.push_back(std::move(r));
  figures.push_back(against_T("inverse_chi_field_extrapolated", "Inverse susceptibility extrapolated to k = 0",
                              "1/χ(k → 0)",
                              "a of the fit 1/χ(k) = a + b k^{2} + c k^{4} without k = 0. In the infinite system it "
                              "vanishes at a transition and below; what stays positive as L grows is a paramagnet.",
                              sizes, [](const FieldCurves& c) -> const Curve& { return c.small_k.inverse_chi_zero; }));
  figures.back().guides.push_back(horizontal_guide(0.0, "critical"));
  for (Figure& f : chiral_figures(sizes)) figures.push_back(std::move(f));
  return figures;
}

Figure inverse_susceptibility_figure(Sizes sizes) {
  Figure f{
      "inverse_chi_field_k",
      "Inverse connected susceptibility against wave vector",
      "1/χ_{SG}(k) against k^{2} = 4 Σ sin^{2}(k_{a}/2) at the lowest temperature of each size, with the curves a + b "
      "k^{2} + c k^{4} fitted to all points but k = 0. A point at k = 0 far from its curve shows that k = 0 behaves "
      "differently from small k: then ξ_{L}/L from k = 0 is not to be trusted alone. Wave vectors of equal k^{2} in "
      "different directions differ where k is not small against the lattice.",
      {"k^{2}", false},
      {"1/χ_{SG}(k)", false}};
  for (const FieldCurves& size : sizes) {
    const std::vector<WaveVectors>& vectors = size.wave_vectors;
    const std::string label = size_label(size.L) + ", " + temperature_label(size.chi.front().temperatures.front());
    Series points = make_series(label, SeriesStyle::points);
    Series line = make_series("fit, " + size_label(size.L), SeriesStyle::line);
    line.legend = label;
    double largest = 0.0;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      const double momentum = vectors[k].momentum_squared(size.L);
      largest = std::max(largest, momentum);
      const Curve inverse = combine("inverse_chi", std::span(&size.chi[k], 1),
                                    [](std::span<const double> v, std::size_t) { return 1.0 / v[0]; });
      add_point(points, momentum, at_lowest(inverse));
    }
    const double a = size.small_k.inverse_chi_zero.value.front(), b = size.small_k.slope.value.front(),
                 c = size.small_k.curvature.value.front();
    for (int i = 0; i <= curve_points && std::isfinite(a) && std::isfinite(b); ++i) {
      const double momentum = largest * i / curve_points;
      line.x.push_back(momentum);
      line.y.push_back(a + b * momentum + c * momentum * momentum);
    }
    f.series.push_back(std::move(points));
    f.series.push_back(std::move(line));
  }
  return f;
}

Table small_k_table(Sizes sizes) {
  Table t{"small_k_fit", "Fits of small wave vectors at the lowest temperature",
          "1/χ(k) = a + b k^{2} + c k^{4} without k = 0, beside what k = 0 gives. p is the probability of so bad a fit "
          "(Hotelling's T^{2}); a small one means that this form does not hold for these wave vectors."};
  t.rows.push_back({"L", "T", "1/χ(0)", "a", "b", "c", "p", "ξ_{L}/L from k = 0", "ξ_{L}/L from small k", "R_{12}"});
  const auto cell = [](const Estimate& e) { return format_value(e.mean, e.error); };
  for (const FieldCurves& size : sizes) {
    const Curve inverse = combine("inverse_chi", std::span(size.chi).first(1),
                                  [](std::span<const double> v, std::size_t) { return 1.0 / v[0]; });
    const double p = size.small_k.p_value.front();
    t.rows.push_back({std::to_string(size.L), fmt::format("{:.5g}", inverse.temperatures.front()),
                      cell(at_lowest(inverse)), cell(at_lowest(size.small_k.inverse_chi_zero)),
                      cell(at_lowest(size.small_k.slope)), cell(at_lowest(size.small_k.curvature)),
                      std::isnan(p) ? "-" : fmt::format("{:.2g}", p), cell(at_lowest(size.xi_over_L)),
                      cell(at_lowest(size.small_k.xi_over_L)), cell(at_lowest(size.r_12))});
  }
  return t;
}

std::vector<Figure> difference_figures(std::span<const SizeComparison> comparisons) {
  std::vector<Figure> figures;
  for (const SizeComparison& c : comparisons) {
    if (figures.empty() || figures.back().id != "difference_" + c.observable) {
      Figure& f = figures.emplace_back();
      const std::string symbol = quantity_symbol(c.observable);
      f.id = "difference_" + c.observable;
      f.title = fmt::format("Difference of {} between sizes", symbol);
      f.caption = fmt::format(
          "D(T) = {} of the larger size less that of the smaller one. Error bars are half widths of bands that hold "
          "the whole curve D(T) with 95 % probability (simultaneous over temperatures), not standard errors. Points "
          "above zero beyond their bars at low temperature and below zero at high temperature are a crossing; all "
          "below zero exclude one.",
          symbol);
      f.x = {"T", false};
      f.y = {"D(T)", false};
      f.guides.push_back(horizontal_guide(0.0, "sizes agree"));
    }
    const auto point = [&](std::size_t t) {
      return Estimate{c.band.difference[t], c.band.factor * c.band.error[t], 0};
    };
    add_series(figures.back(),
               against_temperatures(fmt::format("{}, {}", size_label(c.small), c.large), c.band.temperatures, point));
  }
  return figures;
}

Table comparison_table(std::span<const SizeComparison> comparisons) {
  Table t{
      "field_crossings", "Crossings, or their absence",
      "All statements of a row hold together with 95 % probability at the temperatures compared; D(T) is the value of "
      "the "
      "larger size less that of the smaller one, numbers with standard errors."};
  t.rows.push_back({"quantity", "L", "result", "statement"});
  for (const SizeComparison& c : comparisons) {
    t.rows.push_back(
        {quantity_symbol(c.observable), fmt::format("{}, {}", c.small, c.large), to_string(c.state), c.statement});
  }
  return t;
}

std::vector<Figure> field_check_figures(Sizes sizes) {
  std::vector<Figure> figures;
  const auto add_identity = [&](Curve FieldCurves::*curve, const std::string& id, const std::string& title,
                                const std::string& symbol, const std::string& caption) {
    if ((sizes.front().*curve).temperatures.empty()) return;
    Figure f = against_T(id, title, symbol, caption, sizes,
                         [curve](const FieldCurves& c) -> const Curve& { return c.*curve; });
    f.guides.push_back(horizontal_guide(0.0, "equilibrium"));
    figures.push_back(std::move(f));
  };
  add_identity(&FieldCurves::identity_difference, "identity_in_field", "Identity of the bonds in a field",
               "U_{J} + (z/2) β [q_{s} - q_{l}]",
               "Zero in equilibrium for Gaussian couplings, with any field that is independent of them. Errors at "
               "different temperatures go together. A deviation by several errors at neighbouring temperatures means "
               "that histories are too short.");
  add_identity(
      &FieldCurves::field_identity_difference, "field_identity", "Identity of the field",
      "-(1/N) [Σ H·s] + β h^{2} (1 - [q])",
      "Zero in equilibrium for Gaussian fields of variance h^{2} per component (integration by parts over the field). "
      "A deviation by several errors at neighbouring temperatures means that histories are too short.");
  figures.push_back(against_T(
      "overlap_in_field", "Overlap in a field", "[q]",
      "[q] of two copies: positive in a field at every temperature, and growing as T falls. It does not indicate a "
      "transition. Sizes that differ by more than their errors at high temperature would mean an error.",
      sizes, [](const FieldCurves& c) -> const Curve& { return c.overlap; }));
  figures.push_back(against_T("magnetization_in_field", "Magnetization in a field", "[m^{2}]^{1/2}",
                              "Root of the mean squared magnetization. In a field that is random from site to site it "
                              "falls like N^{-1/2}; what stays finite as L grows is a uniform magnetization.",
                              sizes, [](const FieldCurves& c) -> const Curve& { return c.magnetization; }));
  return figures;
}

}}  // namespace glassworks::analysis

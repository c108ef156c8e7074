#include <fmt/format.h>

#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "engine/percolation/percolation_exact.hpp"
#include "tools/glassworks/executable.hpp"
#include "tools/glassworks/percolation/percolation_report.hpp"

namespace glassworks { inline namespace tools {
namespace {

using Quantity = PercolationQuantity;
using Curves = std::vector<PercolationCurve>;

Figure figure_of(const Curves& curves, Quantity quantity, const char* id, const std::string& title,
                 const std::string& label) {
  Figure figure{.id = id, .title = title, .x = {"p"}, .y = {label}};
  for (const PercolationCurve& curve : curves) {
    const PercolationResult& result = curve.result;
    Series series{.name = curve.name, .style = SeriesStyle::points_and_line};
    for (std::size_t i = 0; i < result.p().size(); ++i) {
      series.x.push_back(result.p()[i]);
      series.y.push_back(result.mean(quantity, i));
      series.y_error.push_back(result.error(quantity, i));
    }
    if (result.samples() < 2) series.y_error.clear();
    figure.series.push_back(std::move(series));
  }
  return figure;
}

/// The estimate of smallest error, and the exact value where it lies in the figure.
void add_threshold(const PercolationRequest& request, const Curves& curves, Figure& figure) {
  const ThresholdLine* best = nullptr;
  const std::vector<ThresholdLine> lines = threshold_lines(curves);
  for (const ThresholdLine& line : lines) {
    if (std::isfinite(line.error) && (best == nullptr || line.error < best->error)) best = &line;
  }
  if (best != nullptr) {
    figure.guides.push_back({Guide::Direction::vertical, best->p, best->error, "p_{c}"});
    figure.caption = fmt::format("p_{{c}} = {} from {}.", format_value(best->p, best->error), best->source);
    return;
  }
  const auto exact = exact_threshold(*curves[0].graph, request.occupation);
  if (exact && *exact >= request.p.front() && *exact <= request.p.back()) {
    figure.guides.push_back({Guide::Direction::vertical, *exact, 0.0, "p_{c}"});
    figure.caption = fmt::format("Exact threshold of the infinite lattice: p_{{c}} = {:.8g}.", *exact);
  }
}

/// The infinite Bethe lattice between the smallest and the largest p.
template <class Value>
void add_infinite(const PercolationRequest& request, Figure& figure, Value&& value) {
  Series line{.name = "infinite lattice", .style = SeriesStyle::line};
  constexpr int steps = 400;
  for (int i = 0; i <= steps; ++i) {
    const double p = request.p.front() + (request.p.back() - request.p.front()) * i / steps;
    const std::optional<double> y = value(p);
    if (!y) continue;
    line.x.push_back(p);
    line.y.push_back(*y);
  }
  if (!line.x.empty()) figure.series.push_back(std::move(line));
}

std::vector<Figure> bethe_figures(const PercolationRequest& request, const Curves& curves) {
  const int z = curves[0].graph->coordination();
  std::vector<Figure> figures{
      figure_of(curves, Quantity::centre_out, "p_inf", "Centre joined to the last shell", "P_{∞}"),
      figure_of(curves, Quantity::centre_size, "centre_size", "Mean size of the cluster of the centre", "S")};
  add_infinite(request, figures[0],
               [&](double p) -> std::optional<double> { return bethe_infinite(z, p, request.occupation); });
  // Close to the threshold the line would leave the figure.
  double highest = 0.0;
  for (const double y : figures[1].series.back().y) highest = std::max(highest, y);
  add_infinite(request, figures[1], [&](double p) -> std::optional<double> {
    const auto size = bethe_mean_size(z, p, request.occupation);
    return size && *size < 1.2 * highest ? size : std::nullopt;
  });
  figures[1].y.logarithmic = true;
  return figures;
}

}  // namespace

std::vector<Figure> percolation_figures(const PercolationRequest& request, const Curves& curves) {
  const Graph& graph = *curves[0].graph;
  std::vector<Figure> figures;
  if (graph.is_lattice()) {
    const bool periodic = graph.boundary() == Boundary::periodic;
    figures.push_back(
        figure_of(curves, Quantity::crossing_any, "crossing_any",
                  periodic ? "A cluster wraps along an axis" : "A cluster spans the lattice along an axis",
                  periodic ? "wrapping probability" : "spanning probability"));
    if (graph.dim() > 1) {
      figures.push_back(figure_of(curves, Quantity::crossing_all, "crossing_all",
                                  periodic ? "One cluster wraps along all axes" : "One cluster spans along all axes",
                                  periodic ? "wrapping probability" : "spanning probability"));
    }
  } else if (graph.kind() == GraphKind::bethe) {
    figures = bethe_figures(request, curves);
  }
  figures.push_back(figure_of(curves, Quantity::largest, "largest", "Largest cluster", "n_{max}/N"));
  figures.push_back(figure_of(curves, Quantity::mean_size_rest, "mean_size_rest", "Mean size of the other clusters",
                              "Σ n^{2}/N without n_{max}"));
  figures.push_back(figure_of(curves, Quantity::clusters, "clusters", "Clusters per site", "clusters/N"));
  for (Figure& figure : figures) add_threshold(request, curves, figure);
  return figures;
}

Document percolation_document(const PercolationRequest& request, const Curves& curves) {
  const std::string what = request.occupation == Occupation::bonds ? "Bond" : "Site";
  Document document;
  document.title = what + " percolation: " + curves.back().graph->description();
  const std::vector<ThresholdLine> lines = threshold_lines(curves);
  Table thresholds{.id = "thresholds",
                   .title = "Threshold",
                   .caption = "Standard errors by the jackknife.",
                   .rows = {{"from", "p_{c}"}}};
  const ThresholdLine* best = nullptr;
  for (const ThresholdLine& line : lines) {
    thresholds.rows.push_back({line.source, format_value(line.p, line.error)});
    if (std::isfinite(line.error) && (best == nullptr || line.error < best->error)) best = &line;
  }
  if (best != nullptr) {
    document.verdict.push_back(fmt::format("p_{{c}} = {} from {}.", format_value(best->p, best->error), best->source));
  }
  if (const auto exact = exact_threshold(*curves[0].graph, request.occupation)) {
    document.verdict.push_back(fmt::format("The exact threshold of the infinite lattice is {:.10g}.", *exact));
    if (!lines.empty()) thresholds.rows.push_back({"exact", fmt::format("{:.12g}", *exact)});
  }
  if (document.verdict.empty()) {
    document.verdict.push_back(
        fmt::format("{} percolation on {} graph{}.", what, curves.size(), curves.size() == 1 ? "" : "s"));
  }
  Section section{.id = "percolation", .title = "Percolation", .paragraphs = {}, .items = {}};
  for (const PercolationCurve& curve : curves) {
    section.paragraphs.push_back(fmt::format("{}: {} samples, labels by {}.", curve.graph->description(),
                                             curve.result.samples(), curve.labeller));
  }
  if (thresholds.rows.size() > 1) section.items.emplace_back(std::move(thresholds));
  for (Figure& figure : percolation_figures(request, curves)) section.items.emplace_back(std::move(figure));
  document.sections.push_back(std::move(section));
  document.provenance = {{"program", fmt::format("glassworks {} ({})", executable_version(), executable_commit())},
                         {"seed", std::to_string(request.seed)}};
  return document;
}

}}  // namespace glassworks::tools

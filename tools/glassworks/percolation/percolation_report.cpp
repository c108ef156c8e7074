#include "tools/glassworks/percolation/percolation_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/basics/value_format.hpp"
#include "base/text.hpp"
#include "engine/percolation/percolation_exact.hpp"
#include "engine/percolation/percolation_threshold.hpp"

namespace glassworks { inline namespace tools {
namespace {

using Quantity = PercolationQuantity;

struct Column {
  const char *heading, *name;  ///< of the table, of the CSV
  Quantity quantity;
};

bool is_periodic(const Graph& graph) { return graph.is_lattice() && graph.boundary() == Boundary::periodic; }

/// What is worth showing of a graph.
std::vector<Column> columns_of(const Graph& graph) {
  std::vector<Column> columns;
  if (is_periodic(graph)) {
    columns = {{"wraps", "wrapping_any", Quantity::crossing_any},
               {"all axes", "wrapping_all", Quantity::crossing_all},
               {"d ways", "wrapping_full", Quantity::crossing_full}};
  } else if (graph.is_lattice()) {
    columns = {{"spans", "spanning_any", Quantity::crossing_any}, {"all axes", "spanning_all", Quantity::crossing_all}};
  } else if (graph.kind() == GraphKind::bethe) {
    columns = {{"centre size", "centre_size", Quantity::centre_size}, {"P_inf", "centre_out", Quantity::centre_out}};
  }
  const Column rest[] = {{"n_max/N", "largest", Quantity::largest},
                         {"sum n^2/N", "mean_size", Quantity::mean_size},
                         {"without n_max", "mean_size_rest", Quantity::mean_size_rest},
                         {"clusters/N", "clusters", Quantity::clusters},
                         {"occupied", "occupied", Quantity::occupied}};
  columns.insert(columns.end(), std::begin(rest), std::end(rest));
  return columns;
}

const char* occupation_name(Occupation occupation) { return occupation == Occupation::bonds ? "bonds" : "sites"; }

}  // namespace

std::string curve_text(const PercolationRequest& request, const PercolationCurve& curve) {
  const Graph& graph = *curve.graph;
  const PercolationResult& result = curve.result;
  const bool bethe = graph.kind() == GraphKind::bethe;
  std::vector<std::vector<std::string>> rows{{"p"}};
  for (const Column& column : columns_of(graph)) {
    if (column.quantity == Quantity::occupied) continue;
    rows[0].emplace_back(column.heading);
    if (bethe && column.quantity <= Quantity::centre_out && column.quantity >= Quantity::centre_size) {
      rows[0].emplace_back("infinite");
    }
  }
  rows[0].emplace_back("ms");
  for (std::size_t i = 0; i < result.p().size(); ++i) {
    const double p = result.p()[i];
    std::vector<std::string> row{fmt::format("{:.10g}", p)};
    for (const Column& column : columns_of(graph)) {
      if (column.quantity == Quantity::occupied) continue;
      const double mean = result.mean(column.quantity, i);
      row.push_back(result.samples() > 1 ? format_value(mean, result.error(column.quantity, i))
                                         : fmt::format("{:.6g}", mean));
      if (column.quantity == Quantity::centre_size) {
        const auto exact = bethe_mean_size(graph.coordination(), p, request.occupation);
        row.push_back(exact ? fmt::format("{:.6g}", *exact) : "inf");
      }
      if (column.quantity == Quantity::centre_out) {
        row.push_back(fmt::format("{:.6g}", bethe_infinite(graph.coordination(), p, request.occupation)));
      }
    }
    row.push_back(fmt::format("{:.3g}", 1e3 * result.labelling_seconds(i)));
    rows.push_back(std::move(row));
  }
  return fmt::format("{} ({} sites, {} bonds): {} occupied with probability p, {} samples\n{}", graph.description(),
                     graph.sites(), graph.bonds(), occupation_name(request.occupation), result.samples(),
                     format_table(rows));
}

std::vector<ThresholdLine> threshold_lines(const std::vector<PercolationCurve>& curves) {
  std::vector<ThresholdLine> lines;
  if (!curves[0].graph->is_lattice()) return lines;
  const bool periodic = is_periodic(*curves[0].graph);
  const auto add = [&](const std::string& source, const std::optional<PercolationThreshold>& found) {
    if (found) lines.push_back({source, found->p, found->error});
  };
  for (std::size_t k = 0; k + 1 < curves.size(); ++k) {
    const std::string pair = fmt::format(", {} and {}", curves[k].name, curves[k + 1].name);
    const PercolationResult &small = curves[k].result, &large = curves[k + 1].result;
    add((periodic ? "wrapping along an axis" : "spanning along an axis") + pair,
        crossing_of_sizes(small, large, Quantity::crossing_any));
    if (curves[k].graph->dim() > 1) {
      add((periodic ? "wrapping along all axes" : "spanning along all axes") + pair,
          crossing_of_sizes(small, large, Quantity::crossing_all));
    }
  }
  for (const PercolationCurve& curve : curves) {
    if (periodic && curve.graph->dim() == 2) {
      add("as often wrapping both ways as not at all, " + curve.name, dual_balance(curve.result));
    }
  }
  return lines;
}

std::string threshold_text(const PercolationRequest& request, const std::vector<PercolationCurve>& curves) {
  const Graph& graph = *curves[0].graph;
  std::string text;
  const std::vector<ThresholdLine> lines = threshold_lines(curves);
  if (!lines.empty()) {
    std::vector<std::vector<std::string>> rows{{"threshold from", "p_c"}};
    for (const ThresholdLine& line : lines) rows.push_back({line.source, format_value(line.p, line.error)});
    text += format_table(rows);
  } else if (graph.is_lattice()) {
    text += curves.size() > 1 ? "No crossing of these sizes lies within these values of p.\n"
                              : "A threshold is estimated from two or more sizes.\n";
  }
  if (const auto exact = exact_threshold(graph, request.occupation)) {
    text += fmt::format("Exact threshold of the infinite lattice: {:.12g}\n", *exact);
  }
  return text;
}

std::string percolation_csv(const PercolationRequest& request, const std::vector<PercolationCurve>& curves) {
  std::string text = "graph,sites,occupation,samples,p,quantity,mean,error\n";
  for (const PercolationCurve& curve : curves) {
    const PercolationResult& result = curve.result;
    for (std::size_t i = 0; i < result.p().size(); ++i) {
      const auto row = [&](const char* quantity, double mean, double error) {
        text += fmt::format("\"{}\",{},{},{},{},{},{},{}\n", curve.graph->description(), curve.graph->sites(),
                            occupation_name(request.occupation), result.samples(), result.p()[i], quantity,
                            shortest(mean), shortest(error));
      };
      for (const Column& column : columns_of(*curve.graph)) {
        row(column.name, result.mean(column.quantity, i), result.error(column.quantity, i));
      }
      row("labelling_seconds", result.labelling_seconds(i), std::nan(""));
    }
  }
  return text;
}

}}  // namespace glassworks::tools

#pragma once

#include <string>
#include <vector>

#include "analysis/report/figure.hpp"
#include "engine/percolation/percolation.hpp"
#include "tools/glassworks/percolation/percolation_request.hpp"

namespace glassworks { inline namespace tools {

/// A simulated graph of a request.
struct PercolationCurve {
  const Graph* graph = nullptr;
  std::string name;      ///< of the size
  std::string labeller;  ///< for people
  PercolationResult result;
};

/// Averages of one graph at every p, with errors in units of the last digits.
[[nodiscard]] std::string curve_text(const PercolationRequest& request, const PercolationCurve& curve);

/// Estimates of the threshold from crossings of neighbouring sizes and, for periodic lattices in two dimensions, from
/// the balance of windings; and the exact threshold, where it is known. Empty for edge lists.
struct ThresholdLine {
  std::string source;  ///< "wrapping along an axis, L = 64 and 128"
  double p = 0.0, error = 0.0;
};
[[nodiscard]] std::vector<ThresholdLine> threshold_lines(const std::vector<PercolationCurve>& curves);
[[nodiscard]] std::string threshold_text(const PercolationRequest& request,
                                         const std::vector<PercolationCurve>& curves);

/// Tidy rows with the heading graph,sites,occupation,samples,p,quantity,mean,error; `labelling_seconds` has no error.
[[nodiscard]] std::string percolation_csv(const PercolationRequest& request,
                                          const std::vector<PercolationCurve>& curves);

/// Every figure; the first one is the one that is drawn alone.
[[nodiscard]] std::vector<Figure> percolation_figures(const PercolationRequest& request,
                                                      const std::vector<PercolationCurve>& curves);

/// A page with the figures, the threshold and the averages.
[[nodiscard]] Document percolation_document(const PercolationRequest& request,
                                            const std::vector<PercolationCurve>& curves);

}}  // namespace glassworks::tools

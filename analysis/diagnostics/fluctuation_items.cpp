#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/diagnostics/sample_fluctuations.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

using Fluctuations = std::span<const SampleFluctuations* const>;
constexpr int histogram_bins = 24;

Figure histogram_figure(Fluctuations sizes, const std::string& id, const std::string& symbol,
                        const std::string& caption, Distribution (SampleFluctuations::*values)(std::size_t) const) {
  Figure f{"fluctuations_" + id,
           "Distribution of " + symbol + " over realizations",
           caption,
           {symbol, false},
           {"fraction of realizations", false}};
  double high = 0.0;
  std::vector<Distribution> distributions;
  for (const SampleFluctuations* size : sizes) {
    distributions.push_back((size->*values)(0));
    for (const double x : distributions.back().values) high = std::max(high, x);
  }
  if (!(high > 0.0)) return f;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const DiagnosedSize& size = sizes[i]->size();
    if (distributions[i].values.empty()) continue;
    f.series.push_back(histogram(size_label(size.L) + ", " + temperature_label(size.temperatures[0]),
                                 distributions[i].values, 0.0, high, histogram_bins, false));
  }
  return f;
}

Figure variance_against_L(Fluctuations sizes) {
  Figure f{
      "relative_variance_L",
      "Self-averaging of χ_{SG}",
      "R = ([χ^{2}] - [χ]^{2})/[χ]^{2} of χ = N⟨|q|^{2}⟩ over realizations at the lowest temperature, jackknife "
      "errors. Free of noise: χ^{2} of a realization is the product of the averages over two halves of its history; "
      "with noise: the square of its average. R that falls like 1/L^{d} means that one large system determines the "
      "average; "
      "R that does not fall, as in a spin-glass phase, means that only many realizations do. If the two lie far apart, "
      "histories are short compared with the fluctuations within a realization.",
      {"L", true},
      {"R", false}};
  Series clean = make_series("free of noise", SeriesStyle::points_and_line);
  Series raw = make_series("with noise", SeriesStyle::points_and_line);
  for (const SampleFluctuations* size : sizes) {
    add_point(clean, size->size().L, size->relative_variance(0));
    add_point(raw, size->size().L, size->raw_relative_variance(0));
  }
  f.series = {std::move(clean), std::move(raw)};
  return f;
}

Figure variance_against_T(Fluctuations sizes) {
  Figure f{
      "relative_variance_T",
      "Relative variance of χ_{SG} over realizations",
      "R = ([χ^{2}] - [χ]^{2})/[χ]^{2}, free of the noise of single histories, against temperature. Where all sizes "
      "have the same R the susceptibility is not self-averaging; at high temperature R falls with the volume.",
      {"T", false},
      {"R", false}};
  for (const SampleFluctuations* fluctuations : sizes) {
    const DiagnosedSize& size = fluctuations->size();
    f.series.push_back(against_temperatures(size_label(size.L), size.temperatures,
                                            [&](std::size_t slot) { return fluctuations->relative_variance(slot); }));
  }
  return f;
}

}  // namespace

std::vector<Item> fluctuation_items(Fluctuations all) {
  std::vector<const SampleFluctuations*> sizes;
  std::copy_if(all.begin(), all.end(), std::back_inserter(sizes),
               [](const SampleFluctuations* s) { return s->realizations() > 1; });
  if (sizes.empty()) return {};
  const Quantity chi{"chi", "χ/[χ]", ""}, xi{"xi", "ξ_{L}/L of a realization", ""};
  std::vector<Item> items;
  items.emplace_back(histogram_figure(
      sizes, chi.id, chi.symbol,
      "χ = N⟨|q|^{2}⟩ of each realization over the disorder average, at the lowest temperature. A few realizations far "
      "to the right carry the average; a distribution that keeps its width as L grows is not self-averaging.",
      &SampleFluctuations::relative_susceptibility));
  items.emplace_back(
      histogram_figure(sizes, xi.id, xi.symbol,
                       "Correlation length over L from χ(0) and χ(k_{min}) of each single realization, at the lowest "
                       "temperature; the mean of this distribution is not the ξ_{L}/L of the disorder averages. "
                       "Realizations with χ(0) < χ(k_{min}) have none and are left out.",
                       &SampleFluctuations::correlation_ratio));
  items.emplace_back(variance_against_L(sizes));
  items.emplace_back(variance_against_T(sizes));
  Table table = quantile_table("fluctuation_quantiles", "Quantiles over realizations at the lowest temperature",
                               "χ/[χ] of one realization and its ξ_{L}/L.");
  for (const auto& [quantity, values] : {std::pair(chi, &SampleFluctuations::relative_susceptibility),
                                         std::pair(xi, &SampleFluctuations::correlation_ratio)}) {
    std::vector<Distribution> distributions;
    for (const SampleFluctuations* size : sizes) {
      Distribution d = (size->*values)(0);
      if (!d.values.empty()) distributions.push_back(std::move(d));
    }
    add_quantile_rows(table, quantity, distributions);
  }
  items.emplace_back(std::move(table));
  return items;
}

}}  // namespace glassworks::analysis

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "analysis/reweighting/reweighted_ensemble.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

std::size_t flagged_temperatures(const ReweightingSummary& size) {
  return static_cast<std::size_t>(
      std::count_if(size.flagged.begin(), size.flagged.end(), [](std::size_t n) { return n > 0; }));
}

std::size_t place_of_smallest(const std::vector<double>& x) {
  return static_cast<std::size_t>(std::min_element(x.begin(), x.end()) - x.begin());
}

Series line(std::string name, const std::vector<double>& x, const std::vector<double>& y) {
  return {std::move(name), SeriesStyle::line, x, y, {}, {}};
}

/// Without the temperatures that are refused: nothing was measured there, and a logarithmic axis has no zero.
Series samples_line(std::string name, const ReweightingSummary& size, const std::vector<double>& samples) {
  Series series = line(std::move(name), {}, {});
  for (std::size_t t = 0; t < samples.size(); ++t) {
    if (size.smallest_samples[t] == 0.0) continue;
    series.x.push_back(size.temperatures[t]);
    series.y.push_back(samples[t]);
  }
  return series;
}

}  // namespace

std::vector<std::string> ReweightingSummary::lines() const {
  std::vector<std::string> lines;
  for (const RefusedRange& range : refused) {
    lines.push_back(fmt::format(
        "L = {}: no averages between T = {:.6g} and {:.6g} (in {} of {} realizations their energies overlap by less "
        "than {:.2g}, the smallest overlap is {:.2g}). Use a ladder with more temperatures there.",
        L, range.lowest, range.highest, range.realizations, realizations, glassworks::smallest_overlap,
        range.smallest_overlap));
  }
  if (unsolved > 0) {
    lines.push_back(fmt::format("L = {}: the multi-histogram equations of {} of {} realizations have no solution.", L,
                                unsolved, realizations));
  }
  const std::size_t worst = place_of_smallest(smallest_samples);
  if (const std::size_t count = flagged_temperatures(*this); count > 0) {
    lines.push_back(fmt::format(
        "L = {}: {} of {} temperatures rest on less than {:.0f} effective samples in some realization (the fewest are "
        "{:.2g} at T = {:.6g}). Trust errors there less.",
        L, count, temperatures.size(), fewest_effective_samples, smallest_samples[worst], temperatures[worst]));
  }
  if (lines.empty()) {
    lines.push_back(fmt::format("L = {}: every realization has at least {:.0f} effective samples at every temperature.",
                                L, smallest_samples[worst]));
  }
  return lines;
}

Figure effective_samples_figure(std::span<const ReweightingSummary> sizes) {
  Figure figure{
      "effective_samples", "Effective samples of the reweighting",
      fmt::format("Effective number of joint samples of one realization, (Σw)^{{2}}/Σw^{{2}}, smallest and median over "
                  "realizations; correlations in time are not counted. Temperatures below {:.0f} are flagged.",
                  fewest_effective_samples)};
  figure.x.label = "T";
  figure.y = {"N_{eff}", true};
  for (const ReweightingSummary& size : sizes) {
    figure.series.push_back(samples_line(size_label(size.L) + ", median", size, size.median_samples));
    figure.series.push_back(samples_line(size_label(size.L) + ", smallest", size, size.smallest_samples));
  }
  figure.guides.push_back({Guide::Direction::horizontal, fewest_effective_samples, 0.0, "fewest"});
  return figure;
}

Figure overlap_figure(std::span<const ReweightingSummary> sizes) {
  Figure figure{
      "energy_overlap", "Overlap of neighbouring temperatures",
      fmt::format(
          "Overlap of the distributions of the total energy of all copies at neighbouring temperatures, Σ min(p_{{k}}, "
          "p_{{k+1}}), against the lower one; smallest and median over realizations. Temperatures between slots that "
          "overlap by less than {:.2g} are refused.",
          smallest_overlap)};
  figure.x.label = "T";
  figure.y.label = "overlap";
  for (const ReweightingSummary& size : sizes) {
    const std::vector<double> lower(size.ladder.begin(), size.ladder.end() - 1);
    figure.series.push_back(line(size_label(size.L) + ", median", lower, size.median_overlap));
    figure.series.push_back(line(size_label(size.L) + ", smallest", lower, size.smallest_overlap));
  }
  figure.guides.push_back({Guide::Direction::horizontal, smallest_overlap, 0.0, "smallest"});
  return figure;
}

Table reweighting_table(std::span<const ReweightingSummary> sizes) {
  Table table{"reweighting", "Reweighting",
              "Smallest values are over realizations and temperatures; flagged and refused are temperatures wanted "
              "and pairs of slots."};
  table.rows = {{"L", "realizations", "temperatures", "fewest effective samples", "at T", "smallest overlap", "at T",
                 "flagged", "refused"}};
  for (const ReweightingSummary& size : sizes) {
    const std::size_t worst = place_of_smallest(size.smallest_samples);
    std::string overlap = "-", at = "-";
    if (!size.smallest_overlap.empty()) {
      const std::size_t pair = place_of_smallest(size.smallest_overlap);
      overlap = fmt::format("{:.3g}", size.smallest_overlap[pair]);
      at = fmt::format("{:.6g}", size.ladder[pair]);
    }
    table.rows.push_back(
        {fmt::format("{}", size.L), fmt::format("{}", size.realizations), fmt::format("{}", size.temperatures.size()),
         fmt::format("{:.3g}", size.smallest_samples[worst]), fmt::format("{:.6g}", size.temperatures[worst]), overlap,
         at, fmt::format("{}", flagged_temperatures(size)), fmt::format("{}", size.refused.size())});
  }
  return table;
}

}}  // namespace glassworks::analysis

#include "analysis/diagnostics/log_bin_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/averages/log_binning.hpp"
#include "analysis/averages/verdict.hpp"
#include "analysis/basics/test_family.hpp"
#include "analysis/basics/value_format.hpp"
#include "analysis/observables/estimators.hpp"
#include "analysis/statistics/figure_parts.hpp"
#include "analysis/statistics/history.hpp"

namespace glassworks { inline namespace analysis {
namespace {

struct Label {
  const char *id, *symbol;
};
constexpr Label labels[LogBinHistory::observable_count] = {{"energy", "e"},
                                                           {"overlap_2", "|q|^{2}"},
                                                           {"xi_over_L", "ξ_{L}/L"},
                                                           {"chi_cg", "χ_{CG}"},
                                                           {"link_overlap", "q_{l}"}};

std::string symbol(const LogBinHistory& history, LogBinHistory::Observable observable) {
  const Columns& columns = history.size().columns;
  if (observable == LogBinHistory::overlap) return columns.order_parameter().label;
  const bool of_magnetization = !columns.has("overlap_2");
  if (observable == LogBinHistory::xi_over_L && of_magnetization) return "ξ_{m}/L";
  return labels[observable].symbol;
}

/// Later bins that the table and the choice of the worst temperature look at: 1/4 and 1/8 of the history.
constexpr std::size_t last_judged_bin = 2;

double deviation(const Estimate& e) {
  const double sigma = significance(e);
  return std::isnan(sigma) ? 0.0 : sigma;
}

Series series(const LogBinHistory& history, LogBinHistory::Observable observable, std::size_t slot,
              const std::string& note) {
  const DiagnosedSize& size = history.size();
  Series s =
      make_series(fmt::format("{}, {} ({})", size_label(size.L), temperature_label(size.temperatures[slot]), note),
                  SeriesStyle::points_and_line);
  s.legend = fmt::format("{}, {} T", size_label(size.L), note.starts_with("lowest") ? "lowest" : note);
  for (std::size_t bin = history.bins(); bin-- > 1;) {
    add_point(s, std::ldexp(1.0, -static_cast<int>(bin)), history.difference(observable, bin, slot));
  }
  return s;
}

Figure figure(std::span<const LogBinHistory* const> sizes, LogBinHistory::Observable observable) {
  const struct {
    const char* id;
    std::string symbol;
  } label{labels[observable].id, symbol(*sizes.front(), observable)};
  Figure f{
      fmt::format("log_binning_{}", label.id),
      fmt::format("Logarithmic binning of {}", label.symbol),
      fmt::format(
          "Average of {} over the part [n/2^{{b+1}}, n/2^{{b}}) of each history of n rounds less that over its last "
          "half, "
          "against the end 1/2^{{b}} of the part; paired within realizations{}. Equilibrated histories give zero "
          "within "
          "errors at least at 1/2 and 1/4; a drift that continues to the right end means that they are too short. "
          "Realizations with too short a history are missing in the early parts.",
          label.symbol,
          observable == LogBinHistory::xi_over_L ? ", jackknife errors of the difference of the two disorder averages"
                                                 : ""),
      {"part of the history", true},
      {fmt::format("{} - {} (last half)", label.symbol, label.symbol), false}};
  f.guides.push_back(horizontal_guide(0.0, "no drift"));
  for (const LogBinHistory* history : sizes) {
    if (history->bins() < 2) continue;
    const std::size_t worst = history->worst_slot(observable);
    f.series.push_back(series(*history, observable, 0, worst == 0 ? "lowest and worst" : "lowest"));
    if (worst != 0) f.series.push_back(series(*history, observable, worst, "worst"));
  }
  return f;
}

/// Bins that the table compares with the last one.
std::size_t judged_bins(const LogBinHistory& history) { return std::min(history.bins(), last_judged_bin + 1) - 1; }

/// Comparisons of the whole table.
std::size_t comparisons_of(std::span<const LogBinHistory* const> sizes) {
  std::size_t count = 0;
  for (const LogBinHistory* history : sizes) {
    if (history->bins() < 2) continue;
    for (int k = 0; k < LogBinHistory::observable_count; ++k) {
      const bool exists = history->has(static_cast<LogBinHistory::Observable>(k));
      count += exists ? judged_bins(*history) * history->size().slots() : 0;
    }
  }
  return count;
}

Table table(std::span<const LogBinHistory* const> sizes) {
  const double level = family::log_bin_table.each(comparisons_of(sizes));
  Table t{
      "log_binning", "Largest deviations of logarithmic bins",
      "For each size and observable the temperature at which the average over [n/4, n/2) or [n/8, n/4) deviates most "
      "from the last half, in standard errors. Above the limit (1 % false alarms for all temperatures, both parts and "
      "all rows of this table together, Student's t) histories are too short for this observable."};
  t.rows.push_back({"L", "observable", "T", "part", "difference", "standard errors", "limit", "realizations"});
  for (const LogBinHistory* history : sizes) {
    if (history->bins() < 2) continue;
    const std::size_t judged = judged_bins(*history);
    for (int k = 0; k < LogBinHistory::observable_count; ++k) {
      const auto observable = static_cast<LogBinHistory::Observable>(k);
      if (!history->has(observable)) continue;
      const std::size_t slot = history->worst_slot(observable);
      std::size_t worst = 1;
      for (std::size_t bin = 2; bin <= judged; ++bin) {
        if (deviation(history->difference(observable, bin, slot)) >
            deviation(history->difference(observable, worst, slot))) {
          worst = bin;
        }
      }
      const Estimate d = history->difference(observable, worst, slot);
      t.rows.push_back(
          {std::to_string(history->size().L), symbol(*history, observable),
           fmt::format("{:.5g}", history->size().temperatures[slot]), log_bin_name(static_cast<int>(worst)),
           format_value(d.mean, d.error), fmt::format("{:.2f}", significance(d)),
           fmt::format("{:.2f}", significance_threshold(level, d.realizations)), std::to_string(d.realizations)});
    }
  }
  return t;
}

}  // namespace

void LogBinHistory::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  const Columns& columns = size_->columns;
  const OrderParameter order = columns.order_parameter();
  const std::vector<std::size_t>& kmin = order.kmin;
  std::vector<std::pair<Stored, std::size_t>> single = {{q_energy, columns["energy"]}, {q_overlap, order.zero.front()}};
  if (has(chi_cg)) single.emplace_back(q_chiral, columns["chiral_zero"]);
  if (has(link_overlap)) single.emplace_back(q_link, columns["link_overlap"]);
  std::vector<RoundRange> ranges = logarithmic_bins(static_cast<std::uint32_t>(rounds.size()));
  if (ranges.empty()) return;
  ranges.resize(std::min(ranges.size(), most_bins));
  std::vector<Means> bins(ranges.size() * size_->slots(), Means{});
  for (std::size_t bin = 0; bin < ranges.size(); ++bin) {
    const auto n = static_cast<double>(ranges[bin].last - ranges[bin].first);
    for (const RoundRow& round : rounds.subspan(ranges[bin].first, ranges[bin].last - ranges[bin].first)) {
      for (std::size_t slot = 0; slot < size_->slots(); ++slot) {
        const std::span<const double> values = size_->bin(round, slot);
        Means& means = bins[bin * size_->slots() + slot];
        for (const auto& [quantity, column] : single) means[quantity] += values[column] / n;
        for (const std::size_t column : kmin) {
          means[q_overlap_kmin] += values[column] / (n * static_cast<double>(kmin.size()));
        }
      }
    }
  }
  bins_.insert_or_assign(row.key.realization, std::move(bins));
}

bool LogBinHistory::has(Observable observable) const {
  if (observable == chi_cg) return size_->columns.has("chiral_zero");
  return observable != link_overlap || size_->columns.has("link_overlap");
}

std::size_t LogBinHistory::bins() const {
  std::size_t most = 0;
  for (const auto& [realization, means] : bins_) most = std::max(most, means.size() / size_->slots());
  return most;
}

Estimate LogBinHistory::difference(Observable observable, std::size_t bin, std::size_t slot) const {
  if (observable == xi_over_L) return xi_difference(bin, slot);
  constexpr Stored stored[observable_count] = {q_energy, q_overlap, q_overlap_kmin, q_chiral, q_link};
  const double scale = observable == chi_cg ? size_->sites : 1.0;
  std::vector<double> differences;
  for (const auto& [realization, means] : bins_) {
    const std::size_t place = bin * size_->slots() + slot;
    if (place >= means.size()) continue;
    differences.push_back(scale * (means[place][stored[observable]] - means[slot][stored[observable]]));
  }
  return mean_over_realizations(differences);
}

Estimate LogBinHistory::xi_difference(std::size_t bin, std::size_t slot) const {
  SampleTable samples(4);
  for (const auto& [realization, means] : bins_) {
    const std::size_t place = bin * size_->slots() + slot;
    if (place >= means.size()) continue;
    samples.add(std::array{means[place][q_overlap], means[place][q_overlap_kmin], means[slot][q_overlap],
                           means[slot][q_overlap_kmin]});
  }
  return jackknife(samples, [L = size_->L](std::span<const double> x) {
    return (correlation_length(x[0], x[1], L) - correlation_length(x[2], x[3], L)) / L;
  });
}

std::size_t LogBinHistory::worst_slot(Observable observable) const {
  std::size_t worst = 0;
  double most = 0.0;
  for (std::size_t bin = 1; bin < std::min(bins(), last_judged_bin + 1); ++bin) {
    for (std::size_t slot = 0; slot < size_->slots(); ++slot) {
      const double sigma = deviation(difference(observable, bin, slot));
      if (sigma > most) {
        most = sigma;
        worst = slot;
      }
    }
  }
  return worst;
}

std::vector<Item> log_bin_items(std::span<const LogBinHistory* const> sizes) {
  std::vector<Item> items;
  for (int k = 0; k < LogBinHistory::observable_count; ++k) {
    const auto observable = static_cast<LogBinHistory::Observable>(k);
    if (sizes.front()->has(observable)) items.emplace_back(figure(sizes, observable));
  }
  items.emplace_back(table(sizes));
  return items;
}

}}  // namespace glassworks::analysis

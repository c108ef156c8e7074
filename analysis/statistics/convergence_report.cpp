#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/basics/value_format.hpp"
#include "analysis/observables/observable.hpp"
#include "analysis/statistics/convergence_effect.hpp"
#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// |difference| in units of the error of a value; NaN where the error is rounding only.
double in_errors(double difference, const Estimate& of) {
  return of.error > 1e-12 * std::abs(of.mean) ? std::abs(difference) / of.error
                                              : std::numeric_limits<double>::quiet_NaN();
}

double shift_in_errors(const ConvergenceEffect& effect, std::size_t t) {
  return in_errors(effect.converged[t].mean - effect.all[t].mean, effect.all[t]);
}

double width_in_errors(const ConvergenceEffect& effect, std::size_t t) {
  return in_errors(effect.highest[t] - effect.lowest[t], effect.all[t]);
}

/// Temperature at which f is largest; NaN counts least.
template <typename F>
std::size_t where_largest(const ConvergenceEffect& effect, const F& f) {
  std::size_t best = 0;
  for (std::size_t t = 1; t < effect.temperatures.size(); ++t) {
    const double x = f(effect, t), largest = f(effect, best);
    if (x > largest || (std::isnan(largest) && !std::isnan(x))) best = t;
  }
  return best;
}

std::string number(double x, const char* format) {
  return std::isfinite(x) ? fmt::format(fmt::runtime(format), x) : "-";
}

std::string format(const Estimate& estimate) { return format_value(estimate.mean, estimate.error); }

}  // namespace

Table unconverged_table(std::span<const ConvergenceEffects> sizes, std::size_t most) {
  Table table{.id = "unconverged",
              .title = "Realizations that have not converged",
              .caption = {},
              .rows = {{"L", "realization", "state", "rounds", "round trips", "tau (measurements)", "reason"}}};
  for (const ConvergenceEffects& size : sizes) {
    std::vector<RealizationRow> rows = size.unconverged;
    std::stable_sort(rows.begin(), rows.end(), [](const RealizationRow& a, const RealizationRow& b) {
      return a.judgement.tau > b.judgement.tau;
    });
    if (rows.size() > most) {
      table.caption += fmt::format("{}L = {}: the {} with the longest tau of {}.", table.caption.empty() ? "" : " ",
                                   size.L, most, rows.size());
      rows.resize(most);
    }
    for (const RealizationRow& row : rows) {
      table.rows.push_back({fmt::format("{}", row.key.L), fmt::format("{}", row.key.realization), to_string(row.status),
                            fmt::format("{}", row.rounds), fmt::format("{}", row.round_trips),
                            row.judgement.tau > 0.0 ? fmt::format("{:.4g}", row.judgement.tau) : "not judged",
                            row.reason.empty() ? "-" : row.reason});
    }
  }
  return table;
}

Table convergence_table(std::span<const ConvergenceEffects> sizes) {
  Table table{.id = "convergence_effect",
              .title = "Effect of the realizations that have not converged",
              .caption =
                  "T: where leaving them out changes the observable most. Shift: that change in units of the "
                  "error with all. Worst case: each of them replaced by the realization that makes the "
                  "observable smallest or largest; its width at most, in the same units.",
              .rows = {{"L", "observable", "T", "all", "only converged", "shift", "worst case from", "to", "width"}}};
  for (const ConvergenceEffects& size : sizes) {
    for (const ConvergenceEffect& effect : size.effects) {
      if (effect.temperatures.empty()) continue;
      const std::size_t t = where_largest(effect, shift_in_errors);
      const double width = width_in_errors(effect, where_largest(effect, width_in_errors));
      table.rows.push_back({fmt::format("{}", size.L), effect.observable, fmt::format("{:.5g}", effect.temperatures[t]),
                            format(effect.all[t]), format(effect.converged[t]),
                            number(shift_in_errors(effect, t), "{:.2f}"), number(effect.lowest[t], "{:.6g}"),
                            number(effect.highest[t], "{:.6g}"), number(width, "{:.1f}")});
    }
  }
  return table;
}

Figure convergence_figure(std::span<const ConvergenceEffects> sizes, const std::string& observable,
                          const std::string& label) {
  Figure figure{.id = "convergence_" + observable,
                .title = label + ": realizations that have not converged",
                .caption =
                    "Points: with all realizations, and with the converged ones only (biased: the hard ones are "
                    "missing). Band: worst case, every realization that has not converged replaced by the one "
                    "that makes the value smallest or largest.",
                .x = {"T", false},
                .y = {label, false},
                .series = {},
                .guides = {}};
  for (const ConvergenceEffects& size : sizes) {
    for (const ConvergenceEffect& effect : size.effects) {
      if (effect.observable != observable) continue;
      Series band{size_label(size.L) + ", worst case", SeriesStyle::band, effect.temperatures, {}, {}, {}};
      Series all{size_label(size.L) + ", all", SeriesStyle::points, effect.temperatures, {}, {}, {}};
      Series converged{size_label(size.L) + ", only converged", SeriesStyle::points, effect.temperatures, {}, {}, {}};
      for (std::size_t t = 0; t < effect.temperatures.size(); ++t) {
        band.y.push_back(0.5 * (effect.lowest[t] + effect.highest[t]));
        band.y_error.push_back(0.5 * (effect.highest[t] - effect.lowest[t]));
        all.y.push_back(effect.all[t].mean);
        all.y_error.push_back(effect.all[t].error);
        converged.y.push_back(effect.converged[t].mean);
        converged.y_error.push_back(effect.converged[t].error);
      }
      for (Series* series : {&band, &all, &converged}) figure.series.push_back(std::move(*series));
    }
  }
  return figure;
}

Section convergence_section(std::span<const ConvergenceEffects> sizes,
                            std::span<const std::pair<std::string, std::string>> figures) {
  Section section{.id = "convergence", .title = "Realizations that have not converged", .paragraphs = {}, .items = {}};
  bool any = false;
  for (const ConvergenceEffects& size : sizes) {
    if (size.used == 0) {
      section.paragraphs.push_back(fmt::format("L = {}: no realization has data yet.", size.L));
      continue;
    }
    if (size.unconverged.empty()) {
      section.paragraphs.push_back(fmt::format("L = {}: all {} realizations used have converged.", size.L, size.used));
      continue;
    }
    any = true;
    double shift = 0.0;
    std::string of;
    for (const ConvergenceEffect& effect : size.effects) {
      if (effect.temperatures.empty()) continue;
      const std::size_t t = where_largest(effect, shift_in_errors);
      const double sigma = shift_in_errors(effect, t);
      if (!std::isfinite(sigma) || sigma <= shift) continue;
      shift = sigma;
      of = fmt::format("; leaving them out changes the averages by {:.2f} standard errors at most ({} at T = {:.5g})",
                       sigma, observable_label(effect.observable), effect.temperatures[t]);
    }
    section.paragraphs.push_back(fmt::format("L = {}: {} of {} realizations used have not converged{}.", size.L,
                                             size.unconverged.size(), size.used, of));
  }
  if (!any) return section;
  section.items.emplace_back(unconverged_table(sizes));
  section.items.emplace_back(convergence_table(sizes));
  for (const auto& [observable, label] : figures) {
    Figure figure = convergence_figure(sizes, observable, label);
    if (!figure.series.empty()) section.items.emplace_back(std::move(figure));
  }
  return section;
}

}}  // namespace glassworks::analysis

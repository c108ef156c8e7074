#include <fmt/format.h>

#include <algorithm>

#include "analysis/observables/observable.hpp"
#include "analysis/statistics/control_variate.hpp"

namespace glassworks { inline namespace analysis {
namespace {

const Curve* partner(const Curve& curve, std::span<const Curve> others) {
  const auto found = std::find_if(others.begin(), others.end(), [&](const Curve& other) {
    return other.observable == curve.observable && other.L == curve.L &&
           other.temperatures.size() == curve.temperatures.size();
  });
  return found == others.end() ? nullptr : &*found;
}

}  // namespace

Figure control_figure(std::span<const Curve> without, std::span<const Curve> with,
                      std::span<const std::string> observables) {
  Figure figure{.id = "control_variates",
                .title = "Errors without control variates over errors with them",
                .caption =
                    "Statistical errors over realizations. Above 1 the known disorder averages help; the gain in "
                    "realizations is the square.",
                .x = {"T", false},
                .y = {"error without / error with", false},
                .series = {},
                .guides = {{Guide::Direction::horizontal, 1.0, 0.0, "no gain"}}};
  for (const Curve& before : without) {
    const Curve* after = partner(before, with);
    if (after == nullptr || std::find(observables.begin(), observables.end(), before.observable) == observables.end()) {
      continue;
    }
    Series& series = figure.series.emplace_back();
    series.name = fmt::format("{}, L = {}", before.observable, before.L);
    series.legend = observable_label(before.observable);
    series.style = SeriesStyle::points_and_line;
    series.x = before.temperatures;
    for (std::size_t t = 0; t < series.x.size(); ++t) series.y.push_back(before.error(t) / after->error(t));
  }
  return figure;
}

Table control_table(std::span<const Curve> without, std::span<const Curve> with) {
  Table table{.id = "control_variates_table",
              .title = "Errors without control variates over errors with them",
              .caption = "At the lowest, middle and highest temperature of each size.",
              .rows = {{"L", "observable", "lowest T", "middle T", "highest T"}}};
  for (const Curve& before : without) {
    const Curve* after = partner(before, with);
    if (after == nullptr || before.temperatures.empty()) continue;
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {fmt::format("{}", before.L), before.observable};
    const std::size_t last = before.temperatures.size() - 1;
    for (const std::size_t t : {std::size_t{0}, last / 2, last}) {
      const double factor = before.error(t) / after->error(t);
      row.push_back(factor == factor ? fmt::format("{:.2f}", factor) : "nan");
    }
  }
  return table;
}

}}  // namespace glassworks::analysis

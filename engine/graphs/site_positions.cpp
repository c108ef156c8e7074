#include "engine/graphs/site_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "engine/graphs/graph_lines.hpp"

namespace glassworks { inline namespace engine {
namespace {

[[noreturn]] void refuse_positions(InputFault fault, const std::filesystem::path& file, const std::string& why,
                                   const std::string& suggestion) {
  throw InputError(fault, file.string(),
                   fmt::format("The file of positions '{}' cannot be used ({}). {}.", file.string(), why, suggestion));
}

/// Coordinates along one axis.
struct Axis {
  char name;
  std::vector<double> x;  ///< [site]
  double period = 0.0;
};

/// Coordinates in a file have few digits: those that are a multiple of a distance but for this part of it are one.
constexpr double tolerance = 1e-4;

[[nodiscard]] bool is_multiple(double x, double of) {
  const double n = x / of;
  return std::abs(n - std::round(n)) <= tolerance;
}

/// What equally spaced coordinates span, and one distance more.
std::optional<double> natural_period(std::vector<double> x) {
  std::ranges::sort(x);
  const double span = x.back() - x.front();
  double distance = span;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] - x[i - 1] > tolerance * span / static_cast<double>(x.size()))
      distance = std::min(distance, x[i] - x[i - 1]);
  }
  if (span > distance * static_cast<double>(x.size())) return {};
  if (!std::ranges::all_of(x, [&](double at) { return is_multiple(at - x.front(), distance); })) return {};
  return span + distance;
}

/// The axes on which sites differ, with their periods.
std::vector<Axis> axes_with_periods(const std::filesystem::path& file, const GivenPositions& positions,
                                    const std::vector<double>& periods) {
  std::vector<Axis> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    Axis axis{"xyz" [k], {}};
    for (const std::array<double, 3>& at : positions.at) axis.x.push_back(at[k]);
    const auto [low, high] = std::ranges::minmax(axis.x);
    if (low < high) axes.push_back(std::move(axis));
  }
  if (axes.empty()) {
    refuse_positions(InputFault::conflict, file, "all sites stand at one place", "Leave model.positions out");
  }
  if (!periods.empty() && periods.size() != axes.size()) {
    throw InputError(
        InputFault::conflict, "model.periods",
        fmt::format(
            "model.periods has {} entries (the sites of '{}' differ along {} of the axes x, y, z). Give one for each "
            "of these axes.",
            periods.size(), file.string(), axes.size()));
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    Axis& axis = axes[a];
    if (!periods.empty() && periods[a] > 0.0) {
      axis.period = periods[a];
      continue;
    }
    const std::optional<double> period = natural_period(axis.x);
    if (!period) {
      refuse_positions(
          InputFault::missing, file,
          fmt::format("its coordinates along {} are not equally spaced, so that the period is unknown", axis.name),
          "Give model.periods, one for each axis");
    }
    axis.period = *period;
  }
  return axes;
}

/// The largest distance of which all periods and coordinates are multiples, as a number of planes of the longest axis.
int planes_of_longest(const std::vector<Axis>& axes, double longest) {
  for (int planes = 2; planes < most_planes; ++planes) {
    const double distance = longest / planes;
    const bool fits = std::ranges::all_of(axes, [&](const Axis& axis) {
      return is_multiple(axis.period, distance) &&
             std::ranges::all_of(axis.x, [&](double x) { return is_multiple(x, distance); });
    });
    if (fits) return planes;
  }
  return most_planes;
}

}  // namespace

GivenPositions read_positions_file(const std::filesystem::path& file, std::int64_t sites) {
  // A line of four numbers has 8 bytes at least; those of other programs have many digits.
  const std::string text =
      read_text_file(file, "file of positions", (std::uintmax_t{1} << 20) + 512 * static_cast<std::uintmax_t>(sites));
  struct Place {
    std::int32_t site;
    std::int64_t line;
    std::array<double, 3> at;
  };
  std::vector<Place> places;
  for_each_graph_line(file, text, [&](const GraphLine& line) {
    if (line.words() != 4) {
      line.refuse(InputFault::malformed,
                  fmt::format("{} columns instead of 4 (a line is `i x y z`). Correct the line.", line.words()));
    }
    const std::int32_t site = line.site(0);
    places.push_back({site, line.number(), {line.value(1, "x"), line.value(2, "y"), line.value(3, "z")}});
  });
  std::ranges::sort(places, {}, [](const Place& p) { return std::tuple(p.site, p.line); });
  const auto twice = std::ranges::adjacent_find(places, {}, &Place::site);
  if (twice != places.end()) {
    throw InputError(
        InputFault::repeated, file.string(),
        fmt::format("{}:{}: the position of site {} is given a second time (line {} has it too). Remove one.",
                    file.string(), std::next(twice)->line, twice->site, twice->line));
  }
  const std::int64_t first = !places.empty() && places.front().site == 0 ? 0 : 1;
  if (static_cast<std::int64_t>(places.size()) != sites || places.back().site - first != sites - 1) {
    refuse_positions(InputFault::conflict, file,
                     fmt::format("it has {} positions up to site {}, for a graph of {} sites", places.size(),
                                 places.empty() ? 0 : places.back().site, sites),
                     "Give one line `i x y z` for each site");
  }
  GivenPositions positions;
  positions.digest = text_digest(text);
  positions.at.reserve(places.size());
  for (const Place& place : places) positions.at.push_back(place.at);
  return positions;
}

std::vector<GraphAxis> axes_of_positions(const std::filesystem::path& file, const GivenPositions& positions,
                                         const std::vector<double>& periods) {
  std::vector<Axis> given = axes_with_periods(file, positions, periods);
  const double longest = std::ranges::max_element(given, {}, &Axis::period)->period;
  // Planes count from a site, so that a shift of all coordinates changes no phase by more than a constant.
  for (Axis& axis : given) {
    const double origin = axis.x.front();
    for (double& x : axis.x) x -= origin;
  }
  const int most = planes_of_longest(given, longest);
  std::vector<GraphAxis> axes;
  for (const Axis& axis : given) {
    GraphAxis& made = axes.emplace_back();
    made.planes = std::max(2, static_cast<std::int32_t>(std::lround(axis.period / longest * most)));
    for (const double x : axis.x) {
      const double turns = x / axis.period;
      const auto plane = static_cast<std::int32_t>(std::lround((turns - std::floor(turns)) * made.planes));
      made.plane.push_back(plane == made.planes ? 0 : plane);
    }
  }
  return axes;
}

}}  // namespace glassworks::engine

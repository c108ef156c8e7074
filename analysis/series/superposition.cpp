#include "analysis/series/superposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "analysis/basics/test_family.hpp"
#include "analysis/basics/value_format.hpp"
#include "analysis/linear/matrices.hpp"
#include "analysis/report/safe_text.hpp"
#include "analysis/series/series_tables.hpp"
#include "analysis/series/series_text.hpp"
#include "base/distributions.hpp"
#include "base/text.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr std::size_t most_times_tested = 8, most_rows_shown = 13, fewest_realizations = 4;
constexpr std::size_t realizations_for_a_time = 3;
constexpr double little_tested = 0.2;  // relative error above which agreement says little
constexpr const char* form = "`glassworks analyze ZFC TRM FC --superpose`";

using Analyses = std::array<const CourseAnalysis*, 3>;

[[noreturn]] void refuse_superposition(const std::string& why, const std::string& suggestion) {
  throw InputError(InputFault::conflict, "--superpose",
                   fmt::format("The three campaigns cannot be superposed ({}). {}.", why, suggestion));
}

/// What the same realizations need: model, seed, protocol and temperatures.
std::map<std::string, std::string> shared_keys(const Config& config) {
  std::map<std::string, std::string> keys;
  std::istringstream lines(canonical_text(config));
  for (std::string line; std::getline(lines, line);) {
    constexpr std::array<std::string_view, 6> sections = {"campaign.seed", "campaign.start", "model.",
                                                          "protocol.",     "ladder.",        "replicas."};
    const bool is_shared =
        std::ranges::any_of(sections, [&](std::string_view section) { return line.starts_with(section); });
    const std::size_t end = line.find(" =");
    if (is_shared && !line.starts_with("model.L ")) keys[line.substr(0, end)] = line.substr(end);
  }
  return keys;
}

void require_same_realizations(const Analyses& all) {
  const auto first = shared_keys(all[0]->series.config);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto other = shared_keys(all[i]->series.config);
    for (const auto& [key, value] : first) {
      const auto found = other.find(key);
      if (found != other.end() && found->second == value) continue;
      refuse_superposition(fmt::format("{} is not the same in all of them", key),
                           "Run the same configuration with other course.segments");
    }
  }
}

const SizeAnalysisInTime* size_of(const CourseAnalysis& analysis, int L) {
  const auto found =
      std::ranges::find(analysis.sizes, L, [](const SizeAnalysisInTime& size) { return size.series->L; });
  return found == analysis.sizes.end() ? nullptr : &*found;
}

/// Places of a common time in the three series.
struct CommonTime {
  std::uint64_t t = 0;
  std::array<std::size_t, 3> places{};
};

std::vector<CommonTime> common_times(const std::array<const SizeSeries*, 3>& series) {
  std::vector<CommonTime> common;
  for (std::size_t k = 0; k < series[0]->times.size(); ++k) {
    CommonTime time{series[0]->times[k], {k, 0, 0}};
    bool all = true;
    for (std::size_t i = 1; i < 3; ++i) {
      const auto place = std::ranges::lower_bound(series[i]->times, time.t);
      all = all && place != series[i]->times.end() && *place == time.t;
      time.places[i] = static_cast<std::size_t>(place - series[i]->times.begin());
    }
    if (all) common.push_back(time);
  }
  return common;
}

/// Whether a field is still what it was in the first step.
bool is_unchanged(const SizeSeries& series, std::size_t place) {
  return std::all_of(series.field.begin(), series.field.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                     [&](double f) { return f == series.field.front(); });
}

/// Common times after the first change of a field, of fields and temperatures that fit; `switched`: the last one
/// before.
std::vector<CommonTime> times_since_switch(const std::array<const SizeSeries*, 3>& series, std::uint64_t& switched) {
  constexpr double rounding = 1e-6;
  std::vector<CommonTime> since;
  for (const CommonTime& time : common_times(series)) {
    const auto field = [&](std::size_t i) { return series[i]->field[time.places[i]]; };
    if (std::fabs(field(0) + field(1) - field(2)) > rounding) {
      refuse_superposition(
          fmt::format("their fields do not add up at t = {}: {:g} + {:g} is not {:g}", time.t, field(0), field(1),
                      field(2)),
          fmt::format("Name them in the order of {}: switched on, switched off, and on throughout", form));
    }
    for (std::size_t i = 1; i < 3; ++i) {
      if (series[i]->temperature[time.places[i]] != series[0]->temperature[time.places[0]]) {
        refuse_superposition(fmt::format("they have other temperatures at t = {}", time.t),
                             "Let their courses differ in the field alone");
      }
    }
    const bool unchanged = is_unchanged(*series[0], time.places[0]) && is_unchanged(*series[1], time.places[1]);
    if (unchanged) {
      switched = time.t;
    } else {
      since.push_back(time);
    }
  }
  return since;
}

/// The response of each realization by its number [time], NaN where it has not measured.
std::map<std::uint32_t, std::vector<double>> responses(const SizeAnalysisInTime& size, std::size_t slot) {
  const auto rows = realization_rows(*size.series, size.slots[slot], "response");
  std::map<std::uint32_t, std::vector<double>> all;
  for (std::size_t i = 0; i < rows.size(); ++i) all[size.series->realizations[i].realization] = rows[i];
  return all;
}

/// Sum and field-cooled response of the realizations that all three have.
struct Paired {
  std::vector<std::vector<double>> sum, field_cooled;  ///< [realization][time]
};

Paired pair_realizations(const std::array<const SizeAnalysisInTime*, 3>& sizes, std::size_t slot,
                         const std::vector<CommonTime>& times) {
  const std::array all = {responses(*sizes[0], slot), responses(*sizes[1], slot), responses(*sizes[2], slot)};
  Paired paired;
  for (const auto& [number, zero_field_cooled] : all[0]) {
    const auto remanent = all[1].find(number), field_cooled = all[2].find(number);
    if (remanent == all[1].end() || field_cooled == all[2].end()) continue;
    std::vector<double>&sum = paired.sum.emplace_back(), &whole = paired.field_cooled.emplace_back();
    for (const CommonTime& time : times) {
      sum.push_back(zero_field_cooled[time.places[0]] + remanent->second[time.places[1]]);
      whole.push_back(field_cooled->second[time.places[2]]);
    }
  }
  return paired;
}

SuperpositionPoint point_of(std::uint64_t t, const Paired& paired, std::size_t k) {
  SuperpositionPoint point{.t = t};
  std::vector<double> differences;
  for (std::size_t i = 0; i < paired.sum.size(); ++i) {
    const double sum = paired.sum[i][k], whole = paired.field_cooled[i][k];
    if (!std::isfinite(sum) || !std::isfinite(whole)) continue;
    point.sum += sum;
    point.field_cooled += whole;
    differences.push_back(sum - whole);
  }
  const Estimate mean = mean_over_realizations(differences);
  const auto n = static_cast<double>(differences.size());
  point.sum /= n;
  point.field_cooled /= n;
  point.difference = mean.mean;
  point.error = mean.error;
  point.realizations = static_cast<int>(differences.size());
  return point;
}

/// Hotelling's T^2 = n d^T S^{-1} d of the mean difference d at some times over the n realizations that have all of
/// them, S their covariance; (n - K)/(K (n - 1)) T^2 has the F distribution with K and n - K degrees of freedom.
void test_differences(const Paired& paired, const std::vector<std::size_t>& places, Superposition& check) {
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < paired.sum.size(); ++i) {
    std::vector<double> row;
    for (const std::size_t k : places) row.push_back(paired.sum[i][k] - paired.field_cooled[i][k]);
    if (std::ranges::all_of(row, [](double x) { return std::isfinite(x); })) rows.push_back(std::move(row));
  }
  const auto n = static_cast<double>(rows.size()), K = static_cast<double>(places.size());
  const auto size = static_cast<Eigen::Index>(places.size());
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(size, 1), S = Eigen::MatrixXd::Zero(size, size);
  const auto column = [&](const std::vector<double>& row) {
    return Eigen::MatrixXd(Eigen::Map<const Eigen::VectorXd>(row.data(), size));
  };
  for (const auto& row : rows) mean += column(row) / n;
  for (const auto& row : rows) {
    const Eigen::MatrixXd d = column(row) - mean;
    S += product(d, d.transpose()) / (n - 1.0);
  }
  const Cholesky factors(S);
  if (rows.size() < fewest_realizations || !factors.positive()) return;
  check.chi_squared = n * transposed_product(mean, factors.solve(mean))(0, 0);
  check.times = places.size();
  check.p = fisher_tail(K, n - K, (n - K) / (K * (n - 1.0)) * check.chi_squared);
}

Superposition check_slot(const std::array<const SizeAnalysisInTime*, 3>& sizes, std::size_t slot) {
  const std::array series = {sizes[0]->series, sizes[1]->series, sizes[2]->series};
  Superposition check;
  check.L = series[0]->L;
  check.slot = slot;
  check.T = series[0]->temperatures[slot];
  const std::vector<CommonTime> times = times_since_switch(series, check.switched);
  if (times.empty()) {
    refuse_superposition(fmt::format("L = {} has no time that all have measured after a field was switched", check.L),
                         "Let one segment of the first and of the second end where the field changes, and run them on");
  }
  const Paired paired = pair_realizations(sizes, slot, times);
  for (std::size_t k = 0; k < times.size(); ++k) check.points.push_back(point_of(times[k].t, paired, k));
  // Times that equally many realizations have as the first.
  std::vector<std::uint64_t> since;
  for (const SuperpositionPoint& point : check.points) {
    if (point.realizations == check.points.front().realizations) since.push_back(point.t - check.switched);
  }
  const auto n = static_cast<std::size_t>(check.points.front().realizations);
  const std::size_t wanted =
      std::clamp<std::size_t>((n - std::min<std::size_t>(n, 1)) / realizations_for_a_time, 1, most_times_tested);
  // One time: the first, where a response that is not linear shows; more: at equal ratios.
  const std::vector<std::size_t> places =
      wanted == 1 || since.size() == 1 ? std::vector<std::size_t>{0} : thinned_times(since, wanted);
  test_differences(paired, places, check);
  double strongest = -1.0;
  std::vector<double> relative;
  for (const std::size_t k : places) {
    const SuperpositionPoint& point = check.points[k];
    const double scale = std::fabs(point.field_cooled), strength = std::fabs(point.difference) / point.error;
    relative.push_back(point.error / scale);
    if (!(strength > strongest)) continue;
    strongest = strength;
    check.largest = point.difference / scale;
    check.at = static_cast<double>(point.t);
  }
  std::ranges::sort(relative);
  check.relative_error = relative[relative.size() / 2];
  return check;
}

}  // namespace

std::vector<Superposition> superpose(const CourseAnalysis& zero_field_cooled, const CourseAnalysis& remanent,
                                     const CourseAnalysis& field_cooled) {
  const Analyses all = {&zero_field_cooled, &remanent, &field_cooled};
  require_same_realizations(all);
  std::vector<Superposition> checks;
  for (const SizeAnalysisInTime& size : zero_field_cooled.sizes) {
    const std::array<const SizeAnalysisInTime*, 3> sizes = {&size, size_of(remanent, size.series->L),
                                                            size_of(field_cooled, size.series->L)};
    if (std::ranges::find(sizes, nullptr) != sizes.end()) continue;
    for (std::size_t slot = 0; slot < size.slots.size(); ++slot) {
      if (size.slots[slot].find("response") == nullptr) {
        refuse_superposition("there is no response without a constant field",
                             "Set model.field = constant and model.field_strength");
      }
      checks.push_back(check_slot(sizes, slot));
    }
  }
  if (checks.empty()) refuse_superposition("no size is in all three", "Run the same sizes");
  for (Superposition& check : checks) check.holds = !(check.p < family::superposition.each(checks.size()));
  return checks;
}

std::string superposition_verdict(const Superposition& check) {
  const std::string where = fmt::format("L = {}, T = {:g}: ", check.L, check.T);
  if (std::isnan(check.p)) {
    return where + fmt::format("M_ZFC + M_TRM cannot be judged by {} paired realizations. Add some, {} or more.",
                               check.points.front().realizations, fewest_realizations);
  }
  const std::string test = fmt::format("chi^2 = {:.3g} of {} {}, p = {:.2g}", check.chi_squared, check.times,
                                       check.times == 1 ? "time" : "times", check.p);
  if (!check.holds) {
    return where + fmt::format(
                       "M_ZFC + M_TRM differs from M_FC, by {:+.2g} % at t = {:g} ({}): the response is not "
                       "linear. Use a smaller field.",
                       100.0 * check.largest, check.at, test);
  }
  const std::string agrees =
      fmt::format("M_ZFC + M_TRM = M_FC within its error of {:.2g} % ({})", 100.0 * check.relative_error, test);
  if (check.relative_error > little_tested) {
    return where + agrees + ", which tests little. Add realizations or copies.";
  }
  return where + agrees + ": the response is linear.";
}

std::string superposition_text(const std::vector<Superposition>& checks) {
  std::string text =
      "Superposition of responses: (M_ZFC + M_TRM)/h against M_FC/h of the same realizations, differences with their "
      "paired errors.\n";
  for (const Superposition& check : checks) {
    std::vector<std::uint64_t> since;
    for (const SuperpositionPoint& point : check.points) since.push_back(point.t - check.switched);
    std::vector<std::vector<std::string>> rows = {{"t", "(ZFC + TRM)/h", "FC/h", "difference", "n"}};
    for (const std::size_t k : thinned_times(since, most_rows_shown)) {
      const SuperpositionPoint& point = check.points[k];
      rows.push_back({fmt::format("{}", point.t), fmt::format("{:.5f}", point.sum),
                      fmt::format("{:.5f}", point.field_cooled), format_value(point.difference, point.error),
                      fmt::format("{}", point.realizations)});
    }
    text += fmt::format("\nL = {}, T = {:g}\n{}", check.L, check.T, format_table(rows));
  }
  text += "\nVerdict\n";
  for (const Superposition& check : checks) text += fmt::format("  {}\n", superposition_verdict(check));
  return text;
}

std::string superposition_csv(const std::vector<Superposition>& checks) {
  std::string text = "L,slot,T,t,sum,field_cooled,difference,error,realizations\n";
  for (const Superposition& check : checks) {
    for (const SuperpositionPoint& point : check.points) {
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", check.L, check.slot, check.T, point.t, shortest(point.sum),
                          shortest(point.field_cooled), shortest(point.difference), shortest(point.error),
                          point.realizations);
    }
  }
  return text;
}

}}  // namespace glassworks::analysis

#include "analysis/histories/overlap_moments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/basics/columns.hpp"
#include "analysis/basics/test_family.hpp"
#include "analysis/statistics/for_each_realization.hpp"
#include "analysis/statistics/history.hpp"
#include "base/distributions.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double degrees = 2.0 * (moment_batches - 1);

/// Columns of the moments and what people call them.
std::vector<std::pair<std::string, std::size_t>> moments_of(const Columns& columns) {
  std::vector<std::pair<std::string, std::size_t>> moments;
  const auto add = [&](const std::string& label, const char* name) {
    if (columns.has(name)) moments.emplace_back(label, columns[name]);
  };
  const std::string square = columns.order_parameter().symbol;
  add(square, "overlap_2");
  add(square.substr(0, square.size() - 1) + "4", "overlap_4");
  add("q_c^2", "chiral_zero");
  return moments;
}

/// The means of all moments at the lowest temperature, by realization.
std::map<std::uint32_t, std::vector<BatchMean>> means_of(
    const Database& database, int L, const std::vector<std::pair<std::string, std::size_t>>& moments) {
  std::map<std::uint32_t, std::vector<BatchMean>> means;
  PassOptions options;
  options.wanted = [](const RealizationRow& row) { return row.status == RealizationStatus::converged; };
  const RealizationVisitor visitor = [&](const RealizationRow& row, std::span<const RoundRow> rounds) -> Keep {
    const RoundRange part =
        equilibrated_part(static_cast<std::uint32_t>(rounds.size()), row.judgement.equilibration_rounds);
    std::vector<BatchMean> of_row;
    for (const auto& [label, column] : moments) {
      std::vector<double> series;
      for (std::uint32_t r = part.first; r < part.last; ++r) series.push_back(rounds[r].record.mean[column]);
      of_row.push_back(batch_mean(series));
    }
    return [&means, number = row.key.realization, of_row = std::move(of_row)] { means[number] = of_row; };
  };
  static_cast<void>(for_each_realization(database, L, visitor, options));
  return means;
}

}  // namespace

std::vector<MomentComparison> judge_moments(const std::vector<std::string>& what,
                                            const std::vector<std::vector<double>>& z,
                                            const std::vector<std::uint32_t>& numbers, std::size_t sizes) {
  std::vector<MomentComparison> results;
  if (numbers.empty()) return results;
  const auto n = static_cast<double>(numbers.size());
  const double expected = degrees / (degrees - 2.0);
  // <t^4> = 3 nu^2 / ((nu - 2)(nu - 4))
  const double variance = 3.0 * degrees * degrees / ((degrees - 2.0) * (degrees - 4.0)) - expected * expected;
  for (std::size_t k = 0; k < what.size(); ++k) {
    MomentComparison& result = results.emplace_back();
    result.what = what[k];
    result.realizations = numbers.size();
    result.scatter_error = std::sqrt(variance / n) / expected;
    const double level = family::moments.each(numbers.size() * what.size() * sizes);
    result.limit = student_quantile(degrees, level / 2.0);
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      result.scatter += z[k][r] * z[k][r] / (n * expected);
      if (std::abs(z[k][r]) <= std::abs(result.worst)) continue;
      result.worst = z[k][r];
      result.worst_realization = numbers[r];
    }
  }
  return results;
}

std::vector<MomentComparison> compare_moments(const Database& first, const Database& other, int L) {
  const Config config = parse_config(first.config_text());
  const std::vector<SizeRow> sizes = first.sizes();
  const auto size = std::ranges::find(sizes, L, &SizeRow::L);
  if (size == sizes.end()) return {};
  const auto moments = moments_of(Columns(config, *size));
  const auto here = means_of(first, L, moments), there = means_of(other, L, moments);
  std::vector<std::string> what;
  for (const auto& [label, column] : moments) what.push_back(label);
  std::vector<std::vector<double>> z(moments.size());
  std::vector<std::uint32_t> numbers;
  std::vector<std::vector<BatchMean>> firsts(moments.size()), others(moments.size());
  for (const auto& [number, means] : there) {
    const auto found = here.find(number);
    if (found == here.end()) continue;
    numbers.push_back(number);
    for (std::size_t k = 0; k < moments.size(); ++k) {
      firsts[k].push_back(found->second[k]);
      others[k].push_back(means[k]);
    }
  }
  for (std::size_t k = 0; k < moments.size(); ++k) {
    const double here_by = std::sqrt(correlation_factor(firsts[k])),
                 there_by = std::sqrt(correlation_factor(others[k]));
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      const BatchMean &a = firsts[k][r], &b = others[k][r];
      const double error = std::hypot(here_by * a.error, there_by * b.error);
      z[k].push_back(error > 0.0 ? (b.mean - a.mean) / error : 0.0);
    }
  }
  return judge_moments(what, z, numbers, config.model.L.size());
}

}}  // namespace glassworks::analysis

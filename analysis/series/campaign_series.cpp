#include "analysis/series/campaign_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>

#include "analysis/statistics/for_each_realization.hpp"
#include "engine/loading/memory.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Copies of the values during the analysis: averages without each realization.
constexpr double copies_of_series = 2.0;

Course course_of(const Config& config, const SizeRow& size) { return make_course(config, size.temperatures); }

void require_memory_of_series(const CampaignSet& campaigns) {
  double numbers = 0.0;
  for (const Database* member : campaigns.members()) {
    const Config config = parse_config(member->config_text());
    for (const SizeRow& size : member->sizes()) {
      const auto of_time = static_cast<double>(size.temperatures.size() * size.observables.size());
      const double times = static_cast<double>(course_of(config, size).measured.listed.size());
      for (const RealizationRow& row : member->realizations(size.L)) {
        numbers += std::min<double>(times, row.rounds) * of_time;
      }
    }
  }
  require_memory(copies_of_series * sizeof(double) * numbers, physical_memory_bytes(), "campaign.directory",
                 "The series of every realization of this campaign", "Use a machine with more memory.");
}

RealizationSeries series_of(const RealizationRow& row, std::span<const RoundRow> rounds,
                            const std::vector<CourseRound>& course, const SizeRow& size) {
  const std::size_t of_time = size.temperatures.size() * size.observables.size();
  RealizationSeries series;
  series.realization = row.key.realization;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const RoundRecord& record = rounds[i].record;
    const bool fits =
        i < course.size() && record.mean.size() == of_time && record.measurements == (course[i].measured ? 1 : 0);
    if (!fits) {
      throw std::runtime_error(fmt::format(
          "Round {} of realization {} of L = {} does not fit the course of its campaign (damaged or foreign "
          "data). Check the campaign directory or restore it from a copy.",
          i, row.key.realization, row.key.L));
    }
    series.reached = course[i].to;
    if (!course[i].measured) continue;
    const auto bad = std::ranges::find_if_not(record.mean, [](double x) { return std::isfinite(x); });
    if (bad != record.mean.end()) {
      const auto place = static_cast<std::size_t>(bad - record.mean.begin());
      throw std::runtime_error(fmt::format(
          "Round {} of realization {} of L = {} holds a value of {} that is not a finite number (slot {}). Check the "
          "disorder and the protocol, and report it.",
          i, row.key.realization, row.key.L, size.observables[place % size.observables.size()],
          place / size.observables.size()));
    }
    ++series.times;
    series.values.insert(series.values.end(), record.mean.begin(), record.mean.end());
  }
  return series;
}

/// Takes over the measurement times of a course as far as they have been reached.
void add_times(const Course& course, const SizeRow& size, std::size_t measured, const std::string& directory,
               SizeSeries& series) {
  const std::vector<std::uint64_t>& listed = course.measured.listed;
  const std::size_t shared = std::min(series.times.size(), listed.size());
  if (!std::equal(listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(shared), series.times.begin())) {
    throw InputError(
        InputFault::conflict, directory,
        fmt::format("the campaigns have other measurement times of L = {} than {} (their averages would mix "
                    "different times). Analyse them one by one.",
                    size.L, directory));
  }
  series.end = std::max(series.end, listed.empty() ? 0 : listed.back());
  for (std::size_t k = series.times.size(); k < std::min(measured, listed.size()); ++k) {
    const Conditions conditions = conditions_at(course, listed[k] - 1);
    series.times.push_back(listed[k]);
    series.field.push_back(static_cast<double>(conditions.field));
    std::vector<double>& T = series.temperature.emplace_back();
    for (std::size_t slot = 0; slot < size.temperatures.size(); ++slot) {
      // Temperatures of slots lie in the database as they were given; others are known to single precision.
      const double given = size.temperatures[slot], now = 1.0 / static_cast<double>(conditions.beta[slot]);
      T.push_back(std::fabs(now - given) < 1e-6 * given ? given
                                                        : std::strtod(fmt::format("{:.6g}", now).c_str(), nullptr));
    }
  }
}

void read_member(const Database& member, const SizeRow& size, const SeriesReading& reading, SizeSeries& series) {
  const Config config = parse_config(member.config_text());
  const Course course = course_of(config, size);
  const std::vector<CourseRound> rounds = rounds_of(course);
  std::size_t measured = 0;
  PassOptions options;
  options.progress = reading.progress;
  const std::vector<RealizationRow> rows = for_each_realization(
      member, size.L,
      [&](const RealizationRow& row, std::span<const RoundRow> of_row) -> Keep {
        auto read = std::make_shared<RealizationSeries>(series_of(row, of_row, rounds, size));
        return [&, read, of_row] {
          if (reading.visit) reading.visit(row, of_row);
          measured = std::max(measured, read->times);
          series.realizations.push_back(std::move(*read));
        };
      },
      options);
  for (const RealizationRow& row : rows) {
    ++series.total;
    if (row.rounds == 0 && reading.visit) reading.visit(row, {});
    if (row.status == RealizationStatus::converged) ++series.complete;
    if (row.status == RealizationStatus::failed || row.status == RealizationStatus::quarantined) ++series.failed;
  }
  add_times(course, size, measured, campaign_name(member), series);
}

}  // namespace

int SizeSeries::count(std::size_t time) const {
  return static_cast<int>(
      std::ranges::count_if(realizations, [&](const RealizationSeries& one) { return one.times > time; }));
}

std::span<const double> SizeSeries::row(std::size_t realization, std::size_t time, std::size_t slot) const {
  return std::span(realizations[realization].values)
      .subspan((time * slots() + slot) * observables.size(), observables.size());
}

bool SizeSeries::is_constant() const {
  return std::ranges::adjacent_find(temperature, std::ranges::not_equal_to()) == temperature.end() &&
         std::ranges::adjacent_find(field, std::ranges::not_equal_to()) == field.end();
}

CampaignSeries read_series(const CampaignSet& campaigns, const SeriesReading& reading) {
  require_memory_of_series(campaigns);
  CampaignSeries all{.config = campaigns.config(), .sizes = {}};
  for (const SizeRow& size : campaigns.sizes()) {
    if (reading.L && size.L != *reading.L) continue;
    SizeSeries& series = all.sizes.emplace_back();
    series.L = size.L;
    series.temperatures = size.temperatures;
    series.observables = size.observables;
    for (const Database* member : campaigns.with_size(size.L)) read_member(*member, size, reading, series);
    std::ranges::sort(series.realizations, {}, &RealizationSeries::realization);
  }
  return all;
}

bool has_course(const CampaignSet& campaigns) {
  return parse_config(campaigns.members().front()->config_text()).course.exists();
}

}}  // namespace glassworks::analysis

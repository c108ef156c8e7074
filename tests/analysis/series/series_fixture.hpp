#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/series/campaign_series.hpp"
#include "db/database.hpp"

namespace glassworks::testing {

/// Value of a column of a realization at a time.
using SeriesValue =
    std::function<double(std::uint32_t realization, std::uint64_t t, int slot, const std::string& name)>;

/// Names "c4_axis(0)" ... of a size.
inline std::vector<std::string> axis_names(int lags, const std::string& family = "c4_axis") {
  std::vector<std::string> names;
  for (int r = 0; r < lags; ++r) names.push_back(fmt::format("{}({})", family, r));
  return names;
}

/// A size of one slot in memory, all realizations at the end.
inline SizeSeries made_series(int L, std::vector<std::uint64_t> times, std::vector<std::string> names, int realizations,
                              const SeriesValue& value, double T = 0.7) {
  SizeSeries series;
  series.L = L;
  series.temperatures = {T};
  series.observables = std::move(names);
  series.times = std::move(times);
  series.end = series.times.back();
  series.temperature.assign(series.times.size(), {T});
  series.field.assign(series.times.size(), 1.0);
  series.total = series.complete = realizations;
  for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(realizations); ++r) {
    RealizationSeries one{.realization = r, .reached = series.end, .times = series.times.size(), .values = {}};
    for (const std::uint64_t t : series.times) {
      for (const std::string& name : series.observables) one.values.push_back(value(r, t, 0, name));
    }
    series.realizations.push_back(std::move(one));
  }
  return series;
}

/// Drops the last times of a realization.
inline void cut_short(SizeSeries& series, std::size_t realization, std::size_t times) {
  RealizationSeries& one = series.realizations[realization];
  one.times = times;
  one.values.resize(times * series.slots() * series.observables.size());
  one.reached = times == 0 ? 0 : series.times[times - 1];
  --series.complete;
}

/// A stored campaign with a course.
struct StoredCourse {
  std::string text;  ///< lines of the configuration
  std::vector<std::string> names;
  SeriesValue value;
  /// Rounds of a realization, at most those of the course.
  std::function<std::uint32_t(std::uint32_t realization)> rounds = [](std::uint32_t) { return 1000000U; };
  int measurements_of_pauses = 0;  ///< of rounds that end without a measurement
};

inline void write_stored_course(const std::filesystem::path& file, const StoredCourse& stored) {
  const Config config = parse_config(canonical_text(settled(parse_config(stored.text))));
  std::vector<SizeRow> sizes;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    SizeRow& size = sizes.emplace_back();
    size.L = config.model.L[i];
    size.temperatures = config.ladder.temperatures;
    size.observables = stored.names;
  }
  const auto realizations = static_cast<int>(realizations_of(config, 0));
  Database database = Database::create(file, canonical_text(config), sizes, realizations);
  const std::int64_t worker = database.add_worker({.host = "host",
                                                   .backend = "synthetic",
                                                   .pid = 1,
                                                   .started = 1,
                                                   .heartbeat = 1,
                                                   .expires = std::int64_t{1} << 60});
  for (const SizeRow& size : sizes) {
    const std::vector<CourseRound> course = rounds_of(make_course(config, size.temperatures));
    for (RealizationRow row : database.realizations(size.L)) {
      const std::uint32_t last =
          std::min(static_cast<std::uint32_t>(course.size()), stored.rounds(row.key.realization));
      for (std::uint32_t r = 0; r < last; ++r) {
        row = database.lease(worker, {&row, 1}).at(0);
        RoundCommit commit;
        commit.key = row.key;
        commit.attempt = row.attempt;
        commit.round = r;
        commit.record.measurements = course[r].measured ? 1 : stored.measurements_of_pauses;
        const auto slots = size.temperatures.size(),
                   replicas = slots * static_cast<std::size_t>(config.replicas.copies);
        for (std::size_t slot = 0; slot < slots; ++slot) {
          for (const std::string& name : stored.names) {
            commit.record.mean.push_back(
                course[r].measured ? stored.value(row.key.realization, course[r].to, static_cast<int>(slot), name)
                                   : 0.0);
          }
        }
        commit.record.exchange_attempts.assign(slots - 1, 0);
        commit.record.exchange_accepted.assign(slots - 1, 0);
        commit.record.walk_up.assign(slots, 0);
        commit.record.walk_down.assign(slots, 0);
        commit.record.walk_mean.assign(replicas * walk_functions, 0.0);
        commit.record.round_trips.assign(replicas, 0);
        commit.state_digest = std::string(32, '0');
        commit.status = r + 1 == course.size() ? RealizationStatus::converged : RealizationStatus::equilibrating;
        commit.judgement.expected_rounds = static_cast<std::uint32_t>(course.size());
        commit.seconds = 1.0;
        row = database.commit(worker, {&commit, 1}, {"test", "test", "test", "none", "host"}, 1).rows.at(0);
      }
    }
  }
}

}  // namespace glassworks::testing

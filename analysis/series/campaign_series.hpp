#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/basics/campaign_set.hpp"

namespace glassworks { inline namespace analysis {

/// What one realization has measured so far.
struct RealizationSeries {
  std::uint32_t realization = 0;
  std::uint64_t reached = 0;   ///< time at which its last committed round ends
  std::size_t times = 0;       ///< measured: the first of SizeSeries::times
  std::vector<double> values;  ///< means over copies and pairs [time][slot][column]
};

/// The series of one size of a campaign with a course.
struct SizeSeries {
  int L = 0;
  std::vector<double> temperatures;      ///< of the slots
  std::vector<std::string> observables;  ///< names of the columns
  std::uint64_t end = 0;                 ///< last measurement time of the course
  std::vector<std::uint64_t> times;      ///< that at least one realization has measured, ascending
  /// Temperature of each slot and factor of the field in the step that leads to a time [time][slot], [time].
  std::vector<std::vector<double>> temperature;
  std::vector<double> field;
  std::vector<RealizationSeries> realizations;  ///< with a committed round, by their numbers
  int total = 0;                                ///< realizations of the campaign
  int complete = 0, failed = 0;                 ///< of these, at the end of their course; given up

  [[nodiscard]] std::size_t slots() const { return temperatures.size(); }
  /// Realizations that have measured a time.
  [[nodiscard]] int count(std::size_t time) const;
  /// Values of a realization at a time and a slot [column].
  [[nodiscard]] std::span<const double> row(std::size_t realization, std::size_t time, std::size_t slot) const;
  /// Whether temperatures and field are the same at all times.
  [[nodiscard]] bool is_constant() const;
};

/// All sizes of a campaign with a course.
struct CampaignSeries {
  Config config;
  std::vector<SizeSeries> sizes;
};

/// How a campaign is read in time.
struct SeriesReading {
  std::optional<int> L;  ///< of this size only
  /// Called after each realization that was read; may be empty, and may throw to give up.
  std::function<void(int L, int done, int total)> progress;
  /// Sees each realization with its rounds, in the order of their numbers in each campaign; those without a round come
  /// last. May be empty.
  std::function<void(const RealizationRow& row, std::span<const RoundRow> rounds)> visit;
};

/// Reads the series of a campaign, or of several with the same course, of which some may be longer. Realizations may
/// have reached different times: at each time, all that have it count.
///
/// Throws InputError where they take more memory than there is or campaigns have other measurement times,
/// std::runtime_error with one sentence where rounds do not fit the course or hold a value that is not finite.
[[nodiscard]] CampaignSeries read_series(const CampaignSet& campaigns, const SeriesReading& reading = {});

/// Whether a campaign is a history in time.
[[nodiscard]] bool has_course(const CampaignSet& campaigns);

}}  // namespace glassworks::analysis

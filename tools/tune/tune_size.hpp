#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/tune/pilot_runs.hpp"
#include "tools/tune/recommendation.hpp"
#include "tools/tune/tune_plan.hpp"

namespace glassworks { inline namespace tools {

/// What was measured of one protocol.
struct TuneRow {
  ProtocolChoice choice;
  int measurements = 0;  ///< of a run
  double sweeps = 0.0;   ///< between measurements
  double seconds = 0.0;  ///< device or core seconds of one measurement of one realization
  int batch = 0;         ///< realizations at once while it was timed
  std::optional<WalkFigure> walk = {};
  double largest_drift = 0.0;  ///< of all observables, second half less first half [standard errors]
  ProtocolFigures figures = {};
};

/// The comparison at one lattice size.
struct TuneResult {
  int L = 0;
  std::size_t size_index = 0;
  PilotShape shape;
  std::vector<std::string> observables;
  std::vector<TuneRow> rows;  ///< the configured protocol first
  Recommendation recommendation;
  bool complete = true;  ///< false if a stop or the end of the time came before all protocols were measured
};

/// The figure of merit of `recommend` over that of the configured protocol; observables that do not fluctuate in some
/// protocol are left out.
[[nodiscard]] LogRatio mean_error_ratio(const TuneResult& result, const TuneRow& row);

/// Everything that a comparison is given.
struct TuneRequest {
  TuneLengths lengths = {};
  std::optional<double> seconds = {};  ///< for this size; the lengths follow from it where they are not given
  std::vector<TuneAxis> axes = {};
  std::function<void(const std::string&)> progress = {};
};

/// Varies one key at a time around the configured protocol, then sets all keys whose best value was another one
/// together: a search along the coordinates, not over all combinations. What is measured, times excepted, is a pure
/// function of configuration, seed and lengths.
///
/// returns nothing if a stop came before the configured protocol was measured
[[nodiscard]] std::optional<TuneResult> tune_size(PilotRuns& pilots, const SpinModel& model, int L,
                                                  const TuneRequest& request, const RoundControl& control);

}}  // namespace glassworks::tools

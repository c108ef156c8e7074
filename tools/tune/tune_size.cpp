#include "tools/tune/tune_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/loading/memory.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "tools/glassworks/duration.hpp"

namespace glassworks { inline namespace tools {
namespace {

TuneRow row_of(const PilotSeries& series, const MedianTime& time, const PilotShape& shape, const SpinModel& model) {
  TuneRow row;
  row.choice = series.choice;
  row.measurements = series.measurements;
  row.sweeps = sweeps_per_measurement(series.choice, model);
  row.batch = series.batch;
  row.seconds = time.seconds;
  for (std::size_t o = 0; o < series.means.size(); ++o) {
    row.figures.errors.push_back(times(squared_error(series.means[o], shape.realizations),
                                       time.seconds * series.measurements, time.relative_variance));
    const double one = drift(series.first[o], series.second[o]);
    if (std::abs(one) > std::abs(row.largest_drift)) row.largest_drift = one;
  }
  row.walk = walk_figure(series);
  if (row.walk) {
    row.figures.walk = times(row.walk->log_tau, time.seconds, time.relative_variance);
    row.figures.tau_in_run = series.measurements / row.walk->tau;
    row.figures.tau_resolved = row.walk->resolved;
  }
  return row;
}

/// Of observables that fluctuate in all protocols.
std::vector<LogFigure> usable_errors(const std::vector<TuneRow>& rows, const TuneRow& row) {
  std::vector<LogFigure> errors;
  for (std::size_t o = 0; o < row.figures.errors.size(); ++o) {
    const auto fluctuates = [o](const TuneRow& one) { return std::isfinite(one.figures.errors[o].value); };
    if (std::ranges::all_of(rows, fluctuates)) errors.push_back(row.figures.errors[o]);
  }
  return errors;
}

class Search {
 public:
  Search(PilotRuns& pilots, const SpinModel& model, int L, const TuneRequest& request, const RoundControl& control)
      : pilots_(pilots), model_(model), request_(request), control_(control) {
    result_.L = L;
    result_.observables = pilots.observables();
    protocols_ = 1;
    for (const TuneAxis& axis : request.axes) protocols_ += static_cast<int>(axis.values.size());
    if (request.axes.size() > 1) ++protocols_;
  }

  std::optional<TuneResult> run() {
    if (!prepare()) return std::nullopt;
    if (!measure(pilots_.configured())) return std::nullopt;
    std::map<TuneKey, int> best;
    for (const TuneAxis& axis : request_.axes) {
      if (!result_.complete) break;
      std::vector<TuneRow> along{result_.rows.front()};
      for (const int value : axis.values) {
        if (!measure(varied(pilots_.configured(), model_, {{axis.key, value}}))) break;
        along.push_back(result_.rows.back());
      }
      const std::size_t chosen = recommendation_of(along).chosen;
      if (chosen > 0) best[axis.key] = along[chosen].choice.at(axis.key);
    }
    if (best.size() > 1 && result_.complete) static_cast<void>(measure(varied(pilots_.configured(), model_, best)));
    result_.recommendation = recommendation_of(result_.rows);
    return result_;
  }

 private:
  bool prepare() {
    constexpr int least_runs = 2;
    require_memory(least_runs * pilots_.bytes_of_run(), physical_memory_bytes(), "model.L",
                   fmt::format("L = {} ({} runs)", result_.L, least_runs), "Lower model.L or ladder.slots.");
    const int most_tasks =
        static_cast<int>(std::clamp(0.25 * physical_memory_bytes() / pilots_.bytes_of_run(), 2.0, 1.0e6));
    if (request_.lengths.complete()) {
      const TuneLengths& given = request_.lengths;
      result_.shape = {given.realizations, given.runs, given.measurements, given.equilibration};
    } else {
      trial_ = pilots_.try_out(std::max(0.04 * *request_.seconds, 0.2));
      if (!trial_) return false;
      result_.shape =
          choose_shape(request_.lengths, *trial_, protocols_, *request_.seconds - watch_.total(), most_tasks);
    }
    const PilotShape& shape = result_.shape;
    const double tasks = static_cast<double>(shape.realizations) * shape.runs;
    if (tasks > most_tasks) {
      throw InputError(
          InputFault::too_large, "--realizations",
          fmt::format("{:.0f} runs of L = {} do not fit into memory (at most {} do, in a quarter of it). Use fewer "
                      "--realizations or --runs.",
                      tasks, result_.L, most_tasks));
    }
    post(
        fmt::format("L = {}: {} runs of each of {} realizations, {} measurements each after {} of equilibration; up to "
                    "{} protocols.",
                    result_.L, shape.runs, shape.realizations, shape.measurements, shape.equilibration, protocols_));
    return pilots_.equilibrate(shape);
  }

  /// False if a stop or the end of the time came before.
  bool measure(const ProtocolChoice& choice) {
    const bool known = std::ranges::any_of(result_.rows, [&](const TuneRow& row) { return row.choice == choice; });
    if (known) return true;
    if (request_.seconds && !result_.rows.empty() && watch_.total() + longest_ > 1.1 * *request_.seconds) {
      result_.complete = false;
      return false;
    }
    const Stopwatch watch;
    const std::optional<PilotSeries> series = pilots_.measure(choice);
    if (!series) {
      result_.complete = false;
      return false;
    }
    result_.rows.push_back(row_of(*series, pilots_.measurement_time(*series), result_.shape, model_));
    longest_ = std::max(longest_, watch.total());
    post(fmt::format("L = {}: {}, {} of up to {}; {}", result_.L, difference_text(pilots_.configured(), choice, model_),
                     result_.rows.size(), protocols_, duration_text(watch.total())));
    if (control_.stop) result_.complete = false;
    return result_.complete;
  }

  static Recommendation recommendation_of(const std::vector<TuneRow>& rows) {
    std::vector<ProtocolFigures> figures;
    for (const TuneRow& row : rows) {
      figures.push_back(row.figures);
      figures.back().errors = usable_errors(rows, row);
    }
    return figures.front().errors.empty() ? Recommendation{} : recommend(figures);
  }

  void post(const std::string& line) const {
    if (request_.progress) request_.progress(line);
  }

  PilotRuns& pilots_;
  const SpinModel& model_;
  const TuneRequest& request_;
  const RoundControl& control_;
  Stopwatch watch_;
  std::optional<PilotTrial> trial_;
  int protocols_ = 1;
  double longest_ = 0.0;  ///< wall time of a protocol [s]
  TuneResult result_;
};

}  // namespace

LogRatio mean_error_ratio(const TuneResult& result, const TuneRow& row) {
  const std::vector<LogFigure> errors = usable_errors(result.rows, row);
  if (errors.empty()) return {std::numeric_limits<double>::quiet_NaN(), 0.0};
  return log_ratio(mean_of(errors), mean_of(usable_errors(result.rows, result.rows.front())));
}

std::optional<TuneResult> tune_size(PilotRuns& pilots, const SpinModel& model, int L, const TuneRequest& request,
                                    const RoundControl& control) {
  return Search(pilots, model, L, request, control).run();
}

}}  // namespace glassworks::tools

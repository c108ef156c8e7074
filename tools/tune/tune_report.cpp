#include "tools/tune/tune_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr double suspicious_drift = 4.5;  // standard errors; by chance once in 150,000 comparisons

/// A ratio with its error from that of its logarithm.
std::string ratio_text(const LogRatio& ratio) {
  if (!std::isfinite(ratio.value)) return "-";
  return format_value(std::exp(ratio.value), std::exp(ratio.value) * ratio.error);
}

/// Keys that the table has a column for: those that differ anywhere, and the usual ones.
std::vector<TuneKey> shown_keys(const TuneResult& result, const SpinModel& model) {
  std::vector<TuneKey> keys;
  for (const TuneKey key : tune_keys()) {
    if (key == TuneKey::overrelaxation && model.is_discrete()) continue;
    if (key == TuneKey::cluster_sweeps && result.rows.front().choice.protocol.kind == ProtocolKind::local) continue;
    const auto moves_copies = [](const TuneRow& row) { return row.choice.protocol.isoenergetic > 0; };
    if (key == TuneKey::isoenergetic && std::ranges::none_of(result.rows, moves_copies)) continue;
    keys.push_back(key);
  }
  return keys;
}

std::string table_of(const TuneSetting& setting, const TuneResult& result) {
  const SpinModel& model = setting.config.model.spins;
  const TuneRow& base = result.rows.front();
  const std::vector<TuneKey> keys = shown_keys(result, model);
  std::vector<std::vector<std::string>> table(1);
  std::vector<std::string>& heading = table.front();
  heading.emplace_back("");
  for (const TuneKey key : keys) heading.emplace_back(symbol_of(key));
  heading.insert(heading.end(), {"ms/1000 sweeps", "tau", "ms/tau", "run/tau"});
  for (const std::string& name : result.observables) heading.push_back(name);
  heading.emplace_back("mean");
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const TuneRow& row = result.rows[i];
    std::vector<std::string> line{i == 0 ? "configured" : ""};
    if (i == result.recommendation.chosen && i > 0) line.front() = "recommended";
    for (const TuneKey key : keys) line.push_back(std::to_string(row.choice.at(key)));
    line.push_back(fmt::format("{:.4g}", 1e6 * row.seconds / row.sweeps));
    if (row.walk) {
      const LogRatio cost = log_value(*row.figures.walk);
      line.push_back((row.walk->resolved ? "" : "> ") + format_value(row.walk->tau, row.walk->error));
      line.push_back(format_value(1e3 * std::exp(cost.value), 1e3 * std::exp(cost.value) * cost.error));
      line.push_back(fmt::format("{:.3g}", row.figures.tau_in_run));
    } else {
      line.insert(line.end(), 3, "-");
    }
    for (std::size_t o = 0; o < row.figures.errors.size(); ++o) {
      line.push_back(i == 0 ? "1" : ratio_text(log_ratio(row.figures.errors[o], base.figures.errors[o])));
    }
    line.push_back(i == 0 ? "1" : ratio_text(mean_error_ratio(result, row)));
    table.push_back(std::move(line));
  }
  return format_table(table);
}

std::string list_of(const TuneResult& result, const std::vector<std::size_t>& rows, const SpinModel& model) {
  std::vector<std::string> names;
  for (const std::size_t i : rows) {
    names.push_back(difference_text(result.rows.front().choice, result.rows[i].choice, model));
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

/// The protocol that a look at the walk alone would choose, where its errors are worse.
std::string fast_walk_text(const TuneResult& result, const SpinModel& model) {
  const TuneRow& base = result.rows.front();
  if (!base.walk) return {};
  const auto cost = [](const TuneRow& row) { return row.figures.walk->value; };
  const TuneRow& row = *std::ranges::min_element(result.rows, {}, cost);
  const LogRatio error = mean_error_ratio(result, row), walk = log_ratio(*row.figures.walk, *base.figures.walk);
  if (!(error.value > TuneRule{}.sigmas * error.error)) return {};
  return fmt::format(
      "The fastest walk, of {}, does not help: a tau costs {} times as much, but squared errors at equal cost are {} "
      "times as large.\n",
      difference_text(base.choice, row.choice, model), ratio_text(walk), ratio_text(error));
}

std::string too_short_text(const TuneSetting& setting, const TuneRow& base) {
  const double needed = TuneRule{}.fewest_tau, times = std::max(1.5 * needed / base.figures.tau_in_run, 1.5);
  return fmt::format(
      "No recommendation: a run holds {:.2g} tau of the walk{} ({:.0f} are needed, because the errors of shorter runs "
      "do not show how fast a protocol decorrelates). Give {} {:.0f} or more.\n",
      base.figures.tau_in_run, base.walk->resolved ? "" : " or less", needed,
      setting.minutes > 0.0 ? "--minutes" : "--measurements",
      std::ceil(times * (setting.minutes > 0.0 ? setting.minutes : base.measurements)));
}

std::string better_text(const TuneResult& result, const SpinModel& model) {
  const Recommendation& r = result.recommendation;
  const ProtocolChoice &base = result.rows.front().choice, &chosen = result.rows[r.chosen].choice;
  const std::string difference = difference_text(base, chosen, model);
  const int n_A = chosen.protocol.exchanges_per_measurement;
  const bool follows = n_A != base.protocol.exchanges_per_measurement && difference.find("n_A") == difference.npos;
  std::string text =
      fmt::format("Recommendation: {}{}. Squared error x seconds is {} times that of the configured protocol",
                  difference, follows ? fmt::format(" with n_A = {}", n_A) : "", ratio_text(r.error));
  if (r.walk) text += fmt::format(", and a tau of the walk costs {} times as much", ratio_text(*r.walk));
  return text + (r.verdict == TuneVerdict::faster_walk ? ": the errors agree, so the walk decides.\n" : ".\n");
}

std::string recommendation_text(const TuneSetting& setting, const TuneResult& result) {
  const SpinModel& model = setting.config.model.spins;
  const Recommendation& r = result.recommendation;
  const TuneRule rule;
  if (r.verdict == TuneVerdict::too_short) return too_short_text(setting, result.rows.front());
  std::string text = r.verdict == TuneVerdict::keep
                         ? fmt::format(
                               "Recommendation: keep the configured protocol. Nothing else is better by more than its "
                               "uncertainty ({:.0f} standard errors).\n",
                               rule.gain_sigmas)
                         : better_text(result, model);
  text += fast_walk_text(result, model);
  if (!r.alike.empty()) {
    text += fmt::format("Errors at equal cost at most {:.0f} % above the configured ones: {}.\n",
                        100.0 * (rule.worse_error - 1.0), list_of(result, r.alike, model));
  }
  if (!r.unclear.empty()) {
    text += fmt::format("Not distinguishable from the configured one with pilots of this length: {}.\n",
                        list_of(result, r.unclear, model));
  }
  return text;
}

}  // namespace

std::string tune_text(const TuneSetting& setting, const TuneResult& result) {
  const SpinModel& model = setting.config.model.spins;
  const TuneRow& base = result.rows.front();
  const PilotShape& s = result.shape;
  const double T = ladder_temperatures(setting.config, result.size_index).front();
  std::string text = fmt::format(
      "\nL = {}, T = {:.5g}: {} runs of each of {} realizations, {} measurements a run after {} of equilibration\n"
      "(again with --runs {} --realizations {} --measurements {} --equilibration {})\n\n",
      result.L, T, s.runs, s.realizations, base.measurements, s.equilibration, s.runs, s.realizations, s.measurements,
      s.equilibration);
  text += table_of(setting, result);
  text += fmt::format("\nTimes are {} milliseconds of one realization, {} at once; tau of the walk in measurements.\n",
                      setting.seconds_of, base.batch);
  text += fmt::format(
      "{} and their geometric mean: squared relative error x seconds, over that of the configured "
      "protocol, which has",
      fmt::join(result.observables, ", "));
  for (std::size_t o = 0; o < result.observables.size(); ++o) {
    const LogRatio value = log_value(base.figures.errors[o]);
    text += fmt::format(
        "{} {} s", o > 0 ? "," : "",
        std::isfinite(value.value) ? format_value(std::exp(value.value), std::exp(value.value) * value.error) : "no");
  }
  text += ".\n";
  for (const TuneRow& row : result.rows) {
    if (std::abs(row.largest_drift) < suspicious_drift) continue;
    text += fmt::format(
        "Note: the averages of '{}' move within its runs ({:.1f} standard errors from the first half to "
        "the second). Equilibrate longer, for example --equilibration {}.\n",
        difference_text(base.choice, row.choice, model), row.largest_drift, std::max(4 * s.equilibration, 100));
  }
  if (!result.complete) text += "Not all protocols were measured.\n";
  return text + "\n" + recommendation_text(setting, result);
}

}}  // namespace glassworks::tools

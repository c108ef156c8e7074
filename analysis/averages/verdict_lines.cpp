#include "analysis/averages/verdict_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/basics/value_format.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// "3e-05", "below 1e-10".
std::string probability(double p) { return p < 1e-10 ? "p < 1e-10" : fmt::format("p = {:.2g}", p); }

/// "log-binning failed in 3 of 16 realizations, of which chance fails 0.4".
std::string failures_line(const Comparison& c, const FailedTests::Count& count) {
  return fmt::format(
      "{} of {} realizations with histories of 16 tau fail {}{}; chance fails {:.2g} of them, {} (limit "
      "{:.0f})",
      count.failed, c.taken, c.what, c.sigma > c.threshold ? ", more than chance explains" : "", count.rate * c.taken,
      probability(c.p), c.threshold);
}

std::string comparison_line(const Comparison& c, const FailedTests& tests) {
  if (c.kind == ComparisonKind::failed_log_binning) return failures_line(c, tests.log_binning);
  if (c.kind == ComparisonKind::failed_copies) return failures_line(c, tests.copies);
  const std::string where = fmt::format("{} at T = {:.5g}", c.what, c.T);
  const bool significant = c.sigma > c.threshold;
  if (c.kind == ComparisonKind::scatter_of_copies) {
    if (std::isinf(c.sigma)) return "copies disagree: " + where + " differs between copies that do not move";
    return fmt::format("{}: {} differs {:.2f} times as much between copies as their own errors explain (limit {:.2f})",
                       significant ? "copies of one realization disagree" : "largest scatter of copies", where, c.sigma,
                       c.threshold);
  }
  if (c.kind == ComparisonKind::scatter_of_runs) {
    if (std::isinf(c.sigma)) return "independent runs disagree: " + where + " differs between runs that do not move";
    return fmt::format("{}: {} scatters {:.2f} times as much between runs as their own errors explain (limit {:.2f})",
                       significant ? "independent runs disagree" : "largest scatter of independent runs", where,
                       c.sigma, c.threshold);
  }
  if (c.kind == ComparisonKind::farthest_run) {
    const std::string run =
        fmt::format("{}: run {} in {}", significant ? "independent runs disagree" : "farthest run", c.run, where);
    if (std::isinf(c.sigma)) return fmt::format("{}, by {:.3g} from the mean", run, c.difference.mean);
    return fmt::format("{}, by {} from the mean, {:.2f} sigma (limit {:.2f})", run,
                       format_value(c.difference.mean, c.difference.error), c.sigma, c.threshold);
  }
  return fmt::format("largest {}: {}, {:.2f} sigma (limit {:.2f})", where,
                     format_value(c.difference.mean, c.difference.error), c.sigma, c.threshold);
}

std::string describe_realizations(const RealizationCounts& counts) {
  std::string text;
  if (counts.used == 0) {
    text = "no realization is used";
  } else if (counts.unconverged_used == 0) {
    text = fmt::format("all {} realizations used have converged", counts.used);
  } else if (counts.unconverged_used == counts.used) {
    text = fmt::format("none of the {} realizations used has converged", counts.used);
  } else {
    text = fmt::format("{} of {} realizations used have not converged", counts.unconverged_used, counts.used);
  }
  if (counts.left_out > 0) {
    text +=
        fmt::format("; {} with data {} left out because {} not converged, which biases the averages", counts.left_out,
                    counts.left_out == 1 ? "is" : "are", counts.left_out == 1 ? "it has" : "they have");
  }
  if (counts.converged == counts.total) return text;
  text += fmt::format("; of {} in the campaign {} converged", counts.total, counts.converged);
  const std::pair<int, const char*> others[] = {
      {counts.reached_maximum, "reached the maximum of rounds without converging"},
      {counts.failed, "failed"},
      {counts.running, "still running"},
      {counts.not_started, "not started"}};
  for (const auto& [count, state] : others) {
    if (count > 0) text += fmt::format(", {} {}", count, state);
  }
  return text;
}

/// "T = 0.1", "T = 0.1 and 3 more temperatures".
std::string temperatures(const std::vector<double>& T) {
  if (T.size() == 1) return fmt::format("T = {:.5g}", T.front());
  return fmt::format("T = {:.5g} and {} more temperature{}", T.front(), T.size() - 1, T.size() == 2 ? "" : "s");
}

std::string in_parentheses(const std::string& text) { return text.empty() ? text : " (" + text + ")"; }

std::string headline(const Verdict& verdict, const RealizationCounts& counts, const VerdictData& data) {
  const std::string state = to_string(verdict.state), unmet = in_parentheses(data.unmet.text());
  const int converged = counts.used - counts.unconverged_used;
  switch (verdict.reason) {
    case Undecided::few_realizations:
      return fmt::format("{}: {} realization{} cannot be judged, at least {} are needed", state, counts.used,
                         counts.used == 1 ? "" : "s", fewest_realizations);
    case Undecided::few_rounds:
      return fmt::format("{}: too few rounds for three logarithmic bins, {} realizations with four rounds are needed",
                         state, fewest_realizations);
    case Undecided::none_converged:
      return fmt::format("{}: none of {} realizations has converged{}", state, counts.used, unmet);
    case Undecided::few_converged:
      return fmt::format("{}: only {} of {} realizations {} converged{}", state, converged, counts.used,
                         converged == 1 ? "has" : "have", unmet);
    case Undecided::tests_fail: {
      const double p =
          std::min(chance_of(data.tests.log_binning, data.tests.taken), chance_of(data.tests.copies, data.tests.taken));
      return fmt::format(
          "{}: {} of {} realizations with histories of 16 tau have bins or copies that disagree, which is "
          "hardly chance ({}, below {:g})",
          state, data.tests.failing, data.tests.taken, probability(p), doubtful_failures / 2.0);
    }
    case Undecided::tau_unresolved:
      return fmt::format(
          "{}: tau is not resolved in {} of {} realizations, whose histories are shorter than {:.0f} tau", state,
          data.unmet.unresolved, counts.used, shortest_history(data.slots));
    case Undecided::nothing_moves:
      return fmt::format("{}: nothing has moved at {} in any realization, so nothing shows equilibrium", state,
                         temperatures(verdict.frozen));
    case Undecided::no:
      break;
  }
  if (verdict.significant == 0 && counts.unconverged_used > 0) {
    return fmt::format("{}: {} of {} realizations used {} not converged{}; no deviation in {} comparisons", state,
                       counts.unconverged_used, counts.used, counts.unconverged_used == 1 ? "has" : "have", unmet,
                       verdict.comparisons);
  }
  if (verdict.significant == 0) return fmt::format("{}: no deviation in {} comparisons", state, verdict.comparisons);
  return fmt::format("{}: significant deviation in {} of {} comparisons{}{} ({} for all of them, level {:g})", state,
                     verdict.significant, verdict.comparisons,
                     verdict.runs_disagree ? ", independent runs of one system disagree" : "",
                     verdict.copies_disagree ? ", copies of one realization disagree" : "", probability(verdict.p),
                     verdict.level);
}

}  // namespace

std::string Unmet::text() const {
  std::vector<std::string> parts;
  const auto some = [](int n, const char* one, const char* many) { return n == 1 ? one : many; };
  if (running > 0) parts.push_back(fmt::format("{} {} still running", running, some(running, "is", "are")));
  if (unresolved_failed > 0) parts.push_back(fmt::format("tau is not resolved in {}", unresolved_failed));
  if (short_history > 0) {
    parts.push_back(
        fmt::format("{} {} a history shorter than {:g} tau", short_history, some(short_history, "has", "have"), n_tau));
  }
  if (few_round_trips > 0) {
    parts.push_back(fmt::format("{} made fewer than {} round trips", few_round_trips, min_round_trips));
  }
  if (other > 0) {
    parts.push_back(fmt::format("{} {} bins or copies that disagree, or something that does not move", other,
                                some(other, "has", "have")));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> verdict_lines(const Verdict& verdict, const RealizationCounts& counts,
                                       const VerdictData& data) {
  std::vector<std::string> lines = {headline(verdict, counts, data), describe_realizations(counts)};
  for (const Comparison& c : verdict.worst) lines.push_back(comparison_line(c, data.tests));
  if (!verdict.frozen.empty() && verdict.reason != Undecided::nothing_moves) {
    lines.push_back(
        fmt::format("neither energy nor order parameter has moved at {}: not compared", temperatures(verdict.frozen)));
  }
  if (!verdict.worst.empty()) {
    lines.push_back(fmt::format("false-alarm probability {:g} % for all {} comparisons{} together",
                                100.0 * family::verdicts.level, verdict.comparisons * data.sizes,
                                data.sizes > 1 ? fmt::format(" of {} sizes", data.sizes) : ""));
  }
  return lines;
}

}}  // namespace glassworks::analysis

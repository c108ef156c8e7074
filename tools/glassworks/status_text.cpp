#include <fmt/format.h>

#include "base/visible_text.hpp"
#include "tools/glassworks/duration.hpp"
#include "tools/glassworks/status_report.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Columns keep their places: scripts read them. New ones come last.
std::string table(const CampaignState& state) {
  constexpr const char* line = "{:>5} {:>12} {:>8} {:>14} {:>10} {:>10} {:>8} {:>9} {:>11} {:>12} {:>12}\n";
  std::string text = fmt::format(line, "L", "realizations", "queued", "equilibrating", "producing", "converged",
                                 "failed", "rounds", "most rounds", "round trips", "quarantined");
  for (const SizeState& size : state.sizes) {
    using S = RealizationStatus;
    text += fmt::format(line, size.L, size.realizations, size.count(S::queued), size.count(S::equilibrating),
                        size.count(S::producing), size.count(S::converged), size.count(S::failed), size.rounds,
                        size.rounds_of_one.largest, size.round_trips, size.count(S::quarantined));
  }
  return text;
}

std::string details(const SizeState& size) {
  if (size.adapting) return fmt::format("L = {}: the ladder is adapted first", size.L);
  const Quantiles& rounds = size.rounds_of_one;
  std::string text = fmt::format("L = {}: rounds {:g}, {:g}, {:g}, {:g}, {:g} (least, quartiles, largest)", size.L,
                                 rounds.least, rounds.quarter, rounds.median, rounds.three_quarters, rounds.largest);
  // As long for all as for the hardest: what a run would cost that does not look at each realization.
  if (size.count(RealizationStatus::converged) == size.realizations && size.rounds > 0) {
    text += fmt::format(", a fixed length would take {:.2f} times the rounds",
                        rounds.largest * static_cast<double>(size.realizations) / static_cast<double>(size.rounds));
  }
  if (size.judged > 0) {
    text += fmt::format(", tau {:.3g} (median) to {:.3g} measurements", size.tau.median, size.tau.largest);
  }
  if (size.remaining_rounds > 0.0) {
    text += fmt::format(", {} {:.0f} rounds left", estimate_word(size.remaining_is_least), size.remaining_rounds);
  }
  return text + (size.acceptance ? ", " + acceptance_text(size) : "");
}

std::string last_line(const CampaignState& state) {
  if (state.finished()) return "The campaign is finished.\n";
  const std::size_t alive = state.alive();
  if (alive == 0) {
    return "The campaign is not finished: `glassworks run` with its configuration continues it.\n";
  }
  std::string text =
      fmt::format("The campaign is not finished: {} {} on it", alive, alive == 1 ? "process works" : "processes work");
  const double left = state.remaining_seconds(state.updates_per_ns());
  if (left > 0.0) text += fmt::format(", {} {} left", estimate_word(state.remaining_is_least()), duration_text(left));
  return text + ".\n";
}

}  // namespace

std::string acceptance_text(const SizeState& size) {
  if (!size.acceptance) return {};
  return fmt::format("acceptance {:.2f} (T = {:.5g}) to {:.2f}", size.acceptance->smallest,
                     size.acceptance->T_of_smallest, size.acceptance->largest);
}

std::string worker_line(const WorkerState& worker) {
  const WorkerRow& row = worker.row;
  return fmt::format("Worker {}: {}, process {}, {}: {}, last heartbeat {} ago; {} rounds in {}, {:.2f} updates/ns",
                     row.id, visible_line(row.host), row.pid, visible_line(row.backend), to_string(worker.signs),
                     duration_text(worker.silent_seconds), row.rounds, duration_text(worker.seconds),
                     worker.updates_per_ns);
}

std::string status_text(const CampaignState& state) {
  std::string text = table(state);
  if (state.copy) text += state.copy->text() + '\n';
  for (const SizeState& size : state.sizes) {
    text += details(size) + '\n';
    if (size.adapting) {
      text +=
          fmt::format("Ladder of L = {}: {} of {} stages.\n", size.L, size.ladder_stages, state.ladder_stages_wanted);
    }
  }
  for (const WorkerState& worker : state.workers) text += worker_line(worker) + '\n';
  if (!state.amendments.empty()) {
    text += fmt::format("Raised since the beginning: {} {} (`status --json` lists them).\n", state.amendments.size(),
                        state.amendments.size() == 1 ? "value" : "values");
  }
  return text + last_line(state);
}

}}  // namespace glassworks::tools

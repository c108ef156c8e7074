#include "tools/glassworks/status_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "scheduler/campaign/process.hpp"
#include "tools/glassworks/duration.hpp"

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

/// The same of a campaign with a course.
std::string course_table(const CampaignState& state) {
  constexpr const char* line = "{:>5} {:>12} {:>8} {:>8} {:>9} {:>7} {:>12} {:>12} {:>12} {:>12}\n";
  std::string text = fmt::format(line, "L", "realizations", "queued", "running", "complete", "failed", "quarantined",
                                 "least t", "median t", "end t");
  for (const SizeState& size : state.sizes) {
    using S = RealizationStatus;
    const CourseState course = size.course.value_or(CourseState());
    text += fmt::format(line, size.L, size.realizations, size.count(S::queued),
                        size.count(S::equilibrating) + size.count(S::producing), size.count(S::converged),
                        size.count(S::failed), size.count(S::quarantined), course.reached.least, course.reached.median,
                        course.end);
  }
  return text;
}

std::string course_details(const SizeState& size, const CourseState& course) {
  if (size.realizations == 0) return fmt::format("L = {}: no realization", size.L);
  std::string text =
      size.count(RealizationStatus::converged) == size.realizations
          ? fmt::format("L = {}: complete", size.L)
          : fmt::format("L = {}: t = {:.0f} reached by half of the realizations, {:.0f} by the last one, of {}", size.L,
                        course.reached.median, course.reached.least, course.end);
  return text + fmt::format("; {} % of all sweeps are done, {:.3g} spin updates",
                            course.sweeps > 0.0 ? std::floor(100.0 * course.swept / course.sweeps) : 100.0,
                            size.updates);
}

std::string details(const SizeState& size) {
  if (size.course) return course_details(size, *size.course);
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
  if (state.finished()) {
    const bool complete = state.has_course() && state.count(RealizationStatus::converged) == state.realizations();
    return complete ? "The campaign is complete.\n" : "The campaign is finished.\n";
  }
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
  return fmt::format("Worker {}: {}, process {}, {}: {}, last heartbeat {} ago; {} rounds in {}, {} updates/ns", row.id,
                     visible_line(row.host), row.pid, visible_line(row.backend), to_string(worker.signs),
                     duration_text(worker.silent_seconds), row.rounds, duration_text(worker.seconds),
                     three_digits(worker.updates_per_ns));
}

std::string status_text(const CampaignState& state) {
  std::string text = state.has_course() ? course_table(state) : table(state);
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

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();  // written as null

void write_member(JsonWriter& json, const char* name, const Quantiles& q, bool known) {
  if (!known) {
    json.field(name, unknown);
    return;
  }
  json.key(name).begin_object();
  json.field("least", q.least).field("quarter", q.quarter).field("median", q.median);
  json.field("three_quarters", q.three_quarters).field("largest", q.largest).end_object();
}

void write_member(JsonWriter& json, const SizeState& size, int stages_wanted) {
  json.begin_object().field("L", size.L).field("realizations", size.realizations);
  using S = RealizationStatus;
  for (const S status : {S::queued, S::equilibrating, S::producing, S::converged, S::failed, S::quarantined}) {
    json.field(to_string(status), size.count(status));
  }
  json.field("rounds", size.rounds).field("updates", size.updates);
  write_member(json, "rounds_per_realization", size.rounds_of_one, size.realizations > 0);
  json.field("round_trips", size.round_trips).field("judged", size.judged);
  write_member(json, "tau", size.tau, size.judged > 0);
  json.field("remaining_rounds", size.remaining_rounds).field("remaining_updates", size.remaining_updates);
  json.field("remaining_is_least", size.remaining_is_least);
  if (size.acceptance) {
    json.key("acceptance").begin_object().field("smallest", size.acceptance->smallest);
    json.field("T_of_smallest", size.acceptance->T_of_smallest).field("largest", size.acceptance->largest);
    json.field("realizations", size.acceptance->realizations).end_object();
  } else {
    json.field("acceptance", unknown);
  }
  if (size.course) {
    json.key("course").begin_object().field("end", size.course->end);
    write_member(json, "reached", size.course->reached, size.realizations > 0);
    json.field("swept", size.course->swept).field("sweeps", size.course->sweeps).end_object();
  }
  json.key("temperatures").begin_array();
  for (const double T : size.temperatures) json.value(T);
  json.end_array().field("adapting", size.adapting);
  json.field("ladder_stages", size.ladder_stages).field("ladder_stages_wanted", size.adapting ? stages_wanted : 0);
  json.end_object();
}

void write_member(JsonWriter& json, const WorkerState& worker) {
  const WorkerRow& row = worker.row;
  json.begin_object().field("id", row.id).field("host", row.host).field("pid", row.pid).field("backend", row.backend);
  json.field("state", to_string(worker.signs)).field("started_ms", row.started).field("heartbeat_ms", row.heartbeat);
  json.field("silent_seconds", worker.silent_seconds).field("seconds", worker.seconds).field("rounds", row.rounds);
  json.field("updates", row.updates).field("updates_per_ns", worker.updates_per_ns).end_object();
}

}  // namespace

std::string status_json(const std::string& directory, const CampaignState& state) {
  JsonWriter json;
  json.begin_object().field("directory", directory).field("time_ms", now_ms()).field("finished", state.finished());
  if (state.copy) {
    json.key("copy").begin_object().field("age_seconds", state.copy->age_seconds).field("host", state.copy->host);
    json.end_object();
  } else {
    json.field("copy", unknown);
  }
  json.field("realizations", state.realizations());
  using S = RealizationStatus;
  for (const S status : {S::converged, S::failed, S::quarantined}) json.field(to_string(status), state.count(status));
  const double rate = state.updates_per_ns(), left = state.remaining_seconds(rate);
  json.field("processes", state.alive()).field("updates_per_ns", rate);
  json.field("remaining_updates", state.remaining_updates()).field("remaining_seconds", left < 0.0 ? unknown : left);
  json.field("remaining_is_least", state.remaining_is_least());
  json.key("sizes").begin_array();
  for (const SizeState& size : state.sizes) write_member(json, size, state.ladder_stages_wanted);
  json.end_array().key("workers").begin_array();
  for (const WorkerState& worker : state.workers) write_member(json, worker);
  json.end_array().key("amendments").begin_array();
  for (const std::string& amendment : state.amendments) json.value(amendment);
  json.end_array().end_object();
  return json.text();
}

}}  // namespace glassworks::tools

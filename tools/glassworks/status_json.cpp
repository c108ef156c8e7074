#include <cmath>
#include <limits>

#include "base/json_writer.hpp"
#include "scheduler/campaign/process.hpp"
#include "tools/glassworks/status_report.hpp"

namespace glassworks { inline namespace tools {
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

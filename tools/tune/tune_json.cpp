#include <cmath>

#include "tools/bench/report.hpp"
#include "tools/tune/tune_report.hpp"

namespace glassworks { inline namespace tools {
namespace {

const char* name_of(TuneVerdict verdict) {
  switch (verdict) {
    case TuneVerdict::keep:
      return "keep";
    case TuneVerdict::fewer_errors:
      return "fewer_errors";
    case TuneVerdict::faster_walk:
      return "faster_walk";
    default:
      return "too_short";
  }
}

/// error: relative
void write_ratio(JsonWriter& json, const std::string& name, const LogRatio& ratio) {
  json.key(name).begin_object();
  json.field("value", std::exp(ratio.value)).field("relative_error", ratio.error).end_object();
}

void write_row(JsonWriter& json, const TuneResult& result, const TuneRow& row) {
  const TuneRow& base = result.rows.front();
  json.begin_object();
  for (const TuneKey key : tune_keys()) json.field(std::string(key_of(key)), row.choice.at(key));
  json.field("measurements", row.measurements).field("sweeps_per_measurement", row.sweeps);
  json.field("seconds_per_measurement", row.seconds).field("batch", row.batch);
  if (row.walk) {
    json.field("tau", row.walk->tau).field("tau_error", row.walk->error).field("tau_resolved", row.walk->resolved);
    write_ratio(json, "seconds_per_tau", log_value(*row.figures.walk));
    write_ratio(json, "seconds_per_tau_ratio", log_ratio(*row.figures.walk, *base.figures.walk));
  }
  json.field("drift", row.largest_drift);
  for (std::size_t o = 0; o < result.observables.size(); ++o) {
    const LogFigure &a = row.figures.errors[o], &b = base.figures.errors[o];
    json.key(result.observables[o]).begin_object();
    write_ratio(json, "squared_error_seconds", log_value(a));
    write_ratio(json, "ratio", log_ratio(a, b));
    json.end_object();
  }
  write_ratio(json, "mean_ratio", mean_error_ratio(result, row));
  json.end_object();
}

}  // namespace

std::string tune_json(const TuneSetting& setting, const std::vector<TuneResult>& results) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  json.field("backend", setting.backend).field("seconds_of", setting.seconds_of);
  json.field("configuration", setting.operand).field("seed", setting.config.campaign.seed);
  json.key("sizes").begin_array();
  for (const TuneResult& result : results) {
    const PilotShape& shape = result.shape;
    json.begin_object().field("L", result.L).field("realizations", shape.realizations).field("runs", shape.runs);
    json.field("measurements", shape.measurements).field("equilibration", shape.equilibration);
    json.field("complete", result.complete).key("observables").begin_array();
    for (const std::string& name : result.observables) json.value(name);
    json.end_array().key("protocols").begin_array();
    for (const TuneRow& row : result.rows) write_row(json, result, row);
    json.end_array().field("verdict", name_of(result.recommendation.verdict));
    json.field("recommended", result.recommendation.chosen).end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools

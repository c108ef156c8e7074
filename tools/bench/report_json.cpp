#include "tools/bench/operations.hpp"
#include "tools/bench/provenance.hpp"
#include "tools/bench/report.hpp"

namespace glassworks { inline namespace tools {
namespace {

void write_settings(JsonWriter& json, const BenchOptions& options) {
  const UpdateOperations count = count_operations(3);
  json.key("settings").begin_object();
  json.field("repeats", options.repeats).field("seconds_per_repeat", options.seconds);
  json.field("threads", options.threads).field("temperature", bench_temperature).field("dim", 3);
  json.field("couplings", "gaussian").field("replicas_per_bundle", 16).field("round_slots", bench_slots);
  json.field("time_unit", "ns").field("clock", "updates, shares: thread processor time; threads: wall");
  json.field("spread", "low and high are the smallest and the largest repeat");
  json.field("over_relaxation_multiply_adds", count.over_relaxation.multiply);
  json.field("heat_bath_multiply_adds", count.heat_bath.multiply).end_object();
}

void write_update(JsonWriter& json, const UpdateResult& r) {
  json.begin_object().field("L", r.L).field("isa", to_string(r.isa)).field("wavefront_depth", r.wavefront_depth);
  write_spread(json, "over_relaxation", r.over_relaxation);
  write_spread(json, "heat_bath", r.heat_bath);
  write_spread(json, "mix", r.mix);
  write_spread(json, "scalar_over_relaxation", r.scalar_over_relaxation);
  write_spread(json, "scalar_heat_bath", r.scalar_heat_bath);
  write_spread(json, "scalar_mix", r.scalar_mix);
  json.field("mix_over_parts", r.mix_over_parts).field("scalar_mix_over_parts", r.scalar_mix_over_parts);
  json.field("over_relaxation_ratio", r.over_relaxation_ratio()).field("mix_ratio", r.mix_ratio());
  if (r.fma.count > 0) {
    write_spread(json, "fma_instruction", r.fma);
    json.field("over_relaxation_floor", r.over_relaxation_floor).field("heat_bath_floor", r.heat_bath_floor);
    json.field("mix_floor", r.mix_floor);
  }
  json.end_object();
}

}  // namespace

std::string bench_json(const BenchOptions& options, const BenchResults& results) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  write_settings(json, options);
  json.key("updates").begin_array();
  for (const UpdateResult& r : results.updates) write_update(json, r);
  json.end_array().key("models").begin_array();
  for (const ModelResult& r : results.models) {
    json.begin_object().field("L", r.L).field("model", r.model).field("update", r.update);
    json.field("isa", to_string(r.isa));
    write_spread(json, "time", r.ours);
    write_spread(json, "plain", r.plain);
    json.field("ratio", r.ratio()).field("plain_over_parts", r.plain_over_parts).end_object();
  }
  json.end_array().key("threads").begin_array();
  for (const ThreadResult& r : results.threads) {
    json.begin_object().field("L", r.L).field("threads", r.threads).field("batch", r.batch);
    write_spread(json, "update", r.update);
    json.field("speed_up", r.speed_up).end_object();
  }
  json.end_array().key("shares").begin_array();
  for (const ShareResult& r : results.shares) {
    json.begin_object().field("L", r.L).field("copies", r.copies).field("measurements", r.measurements);
    write_spread(json, "round", r.round);
    write_spread(json, "sweeps", r.sweeps);
    json.field("overhead", r.overhead()).end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools

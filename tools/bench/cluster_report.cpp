#include <fmt/format.h>

#include "glassworks/version.hpp"
#include "tools/bench/cluster_updates.hpp"
#include "tools/bench/provenance.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {

std::string cluster_header(const ClusterBenchOptions& options) {
  const Machine machine = this_machine();
  return fmt::format(
      "glassworks {} ({}, {}, {})\n{}, {} processors, load {:.1f}\n"
      "Swendsen-Wang, 2D Ising model at beta_c, one thread. Medians of {} repeats, each at least {:.0f} ms of "
      "processor\n"
      "time, in ns per spin and sweep; +- is half of their range. measured: with a measurement after every sweep. "
      "plain:\n"
      "serial union-find over sites with the same random numbers and the same result, timed in turn with the "
      "others.\n\n"
      "{:>5} {:9} {:>15} {:>15} {:>15} {:>6}\n",
      version::kVersion, version::kCommit, version::kCompiler, version::kBuildType, machine.processor, machine.cpus,
      machine.load, options.repeats, 1e3 * options.seconds, "L", "set", "sweeps", "measured", "plain", "ratio");
}

std::string cluster_table(const std::vector<ClusterResult>& results) {
  const auto shown = [](const Spread& s) { return fmt::format("{:.2f} +-{:2.0f}%", s.median, 50.0 * s.relative()); };
  std::string text;
  for (const ClusterResult& r : results) {
    text += fmt::format("{:5} {:9} {:>15} {:>15} {:>15} {:6.1f}\n", r.L, to_string(r.isa), shown(r.sweeps),
                        shown(r.measured), shown(r.plain), r.ratio());
  }
  return text;
}

std::string cluster_json(const ClusterBenchOptions& options, const std::vector<ClusterResult>& results) {
  JsonWriter json;
  json.begin_object();
  write_provenance(json);
  json.key("settings").begin_object();
  json.field("repeats", options.repeats).field("seconds_per_repeat", options.seconds).field("threads", 1);
  json.field("model", "ising").field("dim", 2).field("update", "swendsen-wang").field("beta", "critical");
  json.field("time_unit", "ns per spin and sweep").field("clock", "thread processor time");
  json.field("spread", "low and high are the smallest and the largest repeat").end_object();
  json.key("cluster").begin_array();
  for (const ClusterResult& r : results) {
    json.begin_object().field("L", r.L).field("isa", to_string(r.isa));
    write_spread(json, "sweeps", r.sweeps);
    write_spread(json, "measured", r.measured);
    write_spread(json, "plain", r.plain);
    json.field("ratio", r.ratio()).end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools

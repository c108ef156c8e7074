#include "tools/bench/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "glassworks/version.hpp"
#include "tools/bench/cluster_updates.hpp"
#include "tools/bench/operations.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {

namespace {

/// "0.584 +- 3 %": median, and half the range of the repeats.
std::string with_spread(const Spread& s) {
  return fmt::format("{:.{}f} +-{:2.0f}%", s.median, s.median < 10.0 ? 3 : 1, 50.0 * s.relative());
}

/// The floor and the share of it that a time reaches, or dashes.
std::string floor_and_share(const UpdateResult& r, double floor, const Spread& time) {
  if (r.fma.count == 0) return fmt::format("{:>8} {:>6}", "-", "-");
  return fmt::format("{:8.3f} {:5.0f}%", floor, 100.0 * floor / time.median);
}

/// A warning below a table where a mix does not take the time of its parts.
std::string mix_warning(int L, const std::string& mix, double over_parts) {
  if (!disagrees(over_parts)) return {};
  return fmt::format(
      "Warning: L = {}, {}: the mix takes {:.2f} times what its updates take alone (something slows one of them beside "
      "the other). Do not quote its ratio; measure again on an idle machine.\n",
      L, mix, over_parts);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

}  // namespace

std::string bench_header(const BenchOptions& options) {
  const Machine machine = this_machine();
  return fmt::format(
      "glassworks {} ({}, {}, {})\n{}, {} processors, L2 {}, load {:.1f}\n"
      "Medians of {} repeats, each at least {:.0f} ms; +- is half of their range. Times in ns per spin update:\n"
      "processor time for one thread, wall clock for several.\n",
      version::kVersion, version::kCommit, version::kCompiler, version::kBuildType, machine.processor, machine.cpus,
      human_bytes(machine.second_level_cache), machine.load, options.repeats, 1e3 * options.seconds);
}

std::string update_table(const std::vector<UpdateResult>& results) {
  const UpdateOperations count = count_operations(3);
  std::string text = fmt::format(
      "\nUpdates: one thread, 16 replicas, d = 3, Gaussian couplings, T = {}. mix: 1 heat bath + 10 over-relaxation\n"
      "with the energies. scalar: the ordinary double-precision loop, one replica. floor: {} (over-relaxation) and {}\n"
      "(heat bath) multiply-adds at the measured peak of this core, nothing else counted.\n"
      "{:>4} {:9} {:>15} {:>15} {:>15} | {:>9} {:>6} {:>9} {:>6} | {:>8} {:>6} {:>8} {:>6}\n",
      bench_temperature, count.over_relaxation.multiply, count.heat_bath.multiply, "L", "set", "over-relaxation",
      "heat bath", "mix", "scalar OR", "ratio", "sc. mix", "ratio", "floor OR", "share", "fl. mix", "share");
  for (const UpdateResult& r : results) {
    text += fmt::format("{:4} {:9} {:>15} {:>15} {:>15} | {:9.1f} {:6.1f} {:9.1f} {:6.1f} | {} {}\n", r.L,
                        to_string(r.isa), with_spread(r.over_relaxation), with_spread(r.heat_bath), with_spread(r.mix),
                        r.scalar_over_relaxation.median, r.over_relaxation_ratio(), r.scalar_mix.median, r.mix_ratio(),
                        floor_and_share(r, r.over_relaxation_floor, r.over_relaxation),
                        floor_and_share(r, r.mix_floor, r.mix));
  }
  int last = 0;  // the scalar loop is timed once for all sets of a size
  for (const UpdateResult& r : results) {
    if (r.L != last) text += mix_warning(r.L, "scalar", r.scalar_mix_over_parts);
    text += mix_warning(r.L, to_string(r.isa), r.mix_over_parts);
    last = r.L;
  }
  return text;
}

std::string model_table(const std::vector<ModelResult>& results) {
  std::string text = fmt::format(
      "\nModels and updates: one thread, d = 3, whole rounds; updates of clusters per site of the lattice. plain: one "
      "replica,\n"
      "double precision, the loop that one writes in an afternoon\n"
      "{:>4} {:19} {:29} {:9} {:>15} {:>15} {:>6}\n",
      "L", "model", "update", "set", "time", "plain", "ratio");
  for (const ModelResult& r : results) {
    text += fmt::format("{:4} {:19} {:29} {:9} {:>15} {:>15} {:6.1f}\n", r.L, r.model, r.update, to_string(r.isa),
                        with_spread(r.ours), with_spread(r.plain), r.ratio());
  }
  std::string last;  // as above
  for (const ModelResult& r : results) {
    const std::string warning = mix_warning(r.L, fmt::format("{}, {}, plain", r.model, r.update), r.plain_over_parts);
    if (warning != last) text += warning;
    last = warning;
  }
  return text;
}

std::string graph_table(const std::vector<GraphResult>& results) {
  std::string text = fmt::format(
      "\nGraphs: one thread, N = 4096, six neighbours, Gaussian couplings, 16 replicas (multispin: 512\nrealizations "
      "with J = +-1), whole rounds. own kernels: "
      "the\n"
      "cubic lattice L = 16 by the kernels of lattices; ratio: the graph over that\n"
      "{:19} {:15} {:16} {:9} {:>15} {:>15} {:>6}\n",
      "graph", "model", "update", "set", "time", "own kernels", "ratio");
  for (const GraphResult& r : results) {
    text +=
        fmt::format("{:19} {:15} {:16} {:9} {:>15}", r.graph, r.model, r.update, to_string(r.isa), with_spread(r.ours));
    if (r.lattice.count > 0) text += fmt::format(" {:>15} {:6.2f}", with_spread(r.lattice), r.ratio());
    text += "\n";
  }
  return text;
}

std::string thread_table(const std::vector<ThreadResult>& results) {
  std::string text = fmt::format(
      "\nWhole rounds: {} slots, 2 copies, n_A = 10, batches of two realizations per thread\n"
      "{:>4} {:>8} {:>6} {:>15} {:>9}\n",
      bench_slots, "L", "threads", "batch", "ns per update", "speed-up");
  for (const ThreadResult& r : results) {
    text += fmt::format("{:4} {:8} {:6} {:>15} {:9.2f}\n", r.L, r.threads, r.batch, with_spread(r.update), r.speed_up);
  }
  return text;
}

std::string share_table(const std::vector<ShareResult>& results) {
  std::string text = fmt::format(
      "\nExchange and measurement in a round: one realization, one thread, {} slots, n_A = 10\n"
      "{:>4} {:>7} {:>15} {:>15} {:>8}\n",
      bench_slots, "L", "copies", "whole round", "sweeps alone", "share");
  for (const ShareResult& r : results) {
    text += fmt::format("{:4} {:7} {:>15} {:>15} {:>8}\n", r.L, r.copies, with_spread(r.round), with_spread(r.sweeps),
                        percent(r.overhead()));
  }
  return text;
}

void write_spread(JsonWriter& json, const std::string& name, const Spread& s) {
  json.key(name).begin_object();
  json.field("median", s.median).field("low", s.low).field("high", s.high).end_object();
}

void write_provenance(JsonWriter& json) {
  const Machine machine = this_machine();
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  json.key("program").begin_object();
  json.field("version", version::kVersion).field("commit", version::kCommit).field("compiler", version::kCompiler);
  json.field("build_type", version::kBuildType).field("sanitizers", version::kSanitizers).end_object();
  json.field("date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)));
  json.key("machine").begin_object();
  json.field("processor", machine.processor).field("processors", machine.cpus).field("load", machine.load);
  json.field("second_level_cache_bytes", machine.second_level_cache);
  json.field("third_level_cache_bytes", machine.third_level_cache).field("memory_bytes", machine.memory).end_object();
}

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
  json.end_array().key("graphs").begin_array();
  for (const GraphResult& r : results.graphs) {
    json.begin_object().field("graph", r.graph).field("model", r.model).field("update", r.update);
    json.field("isa", to_string(r.isa));
    write_spread(json, "time", r.ours);
    if (r.lattice.count > 0) {
      write_spread(json, "own_kernels", r.lattice);
      json.field("ratio", r.ratio());
    }
    json.end_object();
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

#include "tools/bench/report.hpp"

#include <fmt/format.h>

#include "glassworks/version.hpp"
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

}}  // namespace glassworks::tools

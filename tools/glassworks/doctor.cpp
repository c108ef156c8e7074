#include "tools/glassworks/doctor.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <zstd.h>

#include <algorithm>
#include <boost/version.hpp>

#include "engine/config/config.hpp"
#include "engine/loading/memory.hpp"
#include "glassworks/version.hpp"
#include "kernels/cpu/cpu_backend.hpp"
#include "kernels/cpu/lanes/cpu_bundle.hpp"
#include "scheduler/ranks/mpi_transport.hpp"
#include "tools/bench/timing.hpp"
#include "tools/glassworks/backend_page.hpp"
#include "tools/glassworks/doctor_cuda.hpp"
#include "tools/glassworks/doctor_machine.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {
namespace {

void show_fact(const std::string& name, const std::string& text) { print("{:12}{}\n", name, text); }

void show_program() {
  const std::string sanitizers = version::kSanitizers;
  show_fact("program",
            fmt::format("glassworks {} ({}, {}, {}{})", version::kVersion, version::kCommit, version::kCompiler,
                        version::kBuildType, sanitizers.empty() ? "" : ", sanitizers " + sanitizers));
  show_fact("libraries", fmt::format("SQLite {}, zstd {}, Boost {}.{}.{}", sqlite3_libversion(), ZSTD_versionString(),
                                     BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100));
  const std::string mpi = mpi_library();
  show_fact("ranks",
            mpi.empty() ? "this build has no MPI: a run uses one machine" : mpi + ": a run may use several machines");
}

void show_machine(const Machine& m) {
  const auto size = [](std::int64_t bytes) { return bytes > 0 ? human_bytes(bytes) : std::string("unknown"); };
  show_fact("processor", m.processor.empty() ? "unknown" : m.processor);
  show_fact("", fmt::format("{} of {} processors usable, load {:.1f}", m.cpus, m.online_cpus, m.load));
  show_fact("caches", fmt::format("L1 {}, L2 {}, L3 {}", size(m.first_level_cache), size(m.second_level_cache),
                                  size(m.third_level_cache)));
  show_fact("memory", fmt::format("{}, {} available", size(m.memory), size(m.available_memory)));
}

void show_backends() {
  std::string sets;
  for (const InstructionSet isa : available_instruction_sets()) {
    sets += fmt::format("{}{}", sets.empty() ? "" : ", ", to_string(isa));
  }
  const InstructionSet best = available_instruction_sets().back();
  const char* const why = best == InstructionSet::avx512 ? "16 replicas per register, the widest there is"
                          : lacks_avx512() ? "this build was made without AVX-512: build it on this machine"
                          : best == InstructionSet::avx2 ? "8 replicas per register; AVX-512 is missing here"
                                                         : "neither AVX2 with FMA nor AVX-512 is here";
  show_fact("sets", fmt::format("{}; backend.isa = auto takes {} ({})", sets, to_string(best), why));
  show_fact("backend", make_backend({})->description());
  show_fact("table", "`glassworks doctor --table` lists which backend runs which model, update and lattice");
  show(describe_cuda());
}

void show_sizes() {
  constexpr double T_min = 0.1, T_max = 0.6;
  constexpr int copies = 2;
  print("\nd = 3, {} copies, T = {} to {}:\n{:>6} {:>6} {:>22} {:>16}\n", copies, T_min, T_max, "L", "slots",
        "memory per realization", "wavefront depth");
  for (const int L : {4, 6, 8, 12, 16, 24, 32}) {
    const Lattice lattice{3, L};
    const int slots = automatic_slots(lattice, T_min, T_max);
    print("{:6} {:6} {:>22} {:16}\n", L, slots,
          human_bytes(static_cast<long long>(realization_bytes(lattice, slots, copies))),
          choose_wavefront_depth(lattice, second_level_cache_bytes()));
  }
  show("\n");
}

void show_disk(const std::string& directory, const Disk& disk) {
  if (!disk.problem.empty()) {
    show_fact("disk", disk.problem);
    return;
  }
  const Spread sync = spread_of(disk.sync_seconds);
  show_fact("disk", fmt::format("'{}': {} free, {}/s written and synced, {:.2f} ms per sync ({:.2f} to {:.2f})",
                                directory, human_bytes(disk.free_bytes),
                                human_bytes(static_cast<std::int64_t>(disk.write_bytes_per_second)), 1e3 * sync.median,
                                1e3 * sync.low, 1e3 * sync.high));
}

void show_self_test(const SelfTest& test) {
  if (!test.failure.empty()) {
    show_fact("self test", "FAILED. " + test.failure);
    return;
  }
  show_fact("self test", fmt::format("passed: reference and {} backends give the same bits ({})", test.passed.size(),
                                     test.reference_digest));
  for (const std::string& backend : test.passed) show_fact("", "= " + backend);
}

std::string verdict(const Machine& machine, const Disk& disk, const SelfTest& test) {
  if (!test.failure.empty()) {
    return "This machine must not run campaigns: its results would not be reproducible. Build the program again and, "
           "if "
           "that does not help, choose another backend.isa.";
  }
  const std::string with = fmt::format("with {}", make_backend({})->description());
  if (!disk.problem.empty()) return fmt::format("This machine can run campaigns {}, but not in this directory.", with);
  constexpr std::int64_t little_space = 1LL << 30;
  if (disk.free_bytes < little_space)
    return fmt::format("This machine can run campaigns {}; disk space is short.", with);
  const bool busy = machine.load > 0.5 * std::max(1, machine.cpus);
  return fmt::format("This machine can run campaigns {}{}.", with, busy ? "; it is busy with other work now" : "");
}

}  // namespace

const VerbSyntax& doctor_syntax() {
  static const VerbSyntax syntax{
      .verb = "doctor",
      .meaning = "what this machine has, and a self-test",
      .options = {{"directory", "DIR", "where campaigns would be written (.)"},
                  {"table", "", "only the table of backends: which of them runs which model, update and lattice"}},
      .more = "The status is 0 if this machine can run campaigns, 1 if the self-test fails."};
  return syntax;
}

int run_doctor(const Arguments& arguments) {
  const ParsedArguments given = parse_arguments(doctor_syntax(), arguments);
  if (given.help) {
    show(doctor_syntax().help());
    return 0;
  }
  if (given.has("table")) {
    show(backends_text());
    return 0;
  }
  const std::string directory = text_of(given, "directory").value_or(".");
  const Machine machine = this_machine();
  show_program();
  show_machine(machine);
  show_backends();
  show_sizes();
  const Disk disk = probe_disk(directory);
  show_disk(directory, disk);
  const SelfTest test = run_self_test();
  show_self_test(test);
  show_fact("verdict", verdict(machine, disk, test));
  return test.failure.empty() ? 0 : 1;
}

}}  // namespace glassworks::tools

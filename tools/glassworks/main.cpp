#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/config.hpp"
#include "scheduler/ranks/mpi_transport.hpp"
#include "tools/glassworks/executable.hpp"
#include "tools/glassworks/failure.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verb_report.hpp"
#include "tools/glassworks/verbs.hpp"

namespace {

/// Before all constructors: those of HDF5 follow a null pointer where memory ends.
[[gnu::constructor(101)]] void ensure_memory_to_start() {
  constexpr std::size_t room = std::size_t{16} << 20;
  void* const memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    munmap(memory, room);
    return;
  }
  constexpr std::string_view sentence =
      "glassworks: The program cannot start (less than 16 MiB of memory are left for it). Raise the limit of memory, "
      "or "
      "close other programs.\n";
  (void)!write(STDERR_FILENO, sentence.data(), sentence.size());
  _exit(1);
}

using glassworks::Arguments;
using glassworks::Channel;
using glassworks::print;

struct Verb {
  std::string name, usage, meaning;
  int (*call)(const Arguments&);
};

Verb verb_of(const glassworks::VerbSyntax& syntax, int (*call)(const Arguments&)) {
  return {syntax.verb, syntax.usage(), syntax.meaning, call};
}

const std::vector<Verb>& verbs() {
  using namespace glassworks;
  static const std::vector<Verb> all = {
      verb_of(run_syntax(), run_campaign),         verb_of(submit_syntax(), submit_campaign),
      verb_of(status_syntax(), show_status),       verb_of(watch_syntax(), watch_campaign),
      verb_of(analyze_syntax(), analyze_campaign), verb_of(export_syntax(), export_files),
      verb_of(report_syntax(), write_report),      verb_of(plot_syntax(), plot_figures),
      verb_of(inspect_syntax(), inspect_campaign), verb_of(why_syntax(), explain_realization),
      verb_of(verify_syntax(), verify_campaign),   verb_of(percolate_syntax(), percolate),
      verb_of(tune_syntax(), tune_protocol),       verb_of(bench_syntax(), run_bench),
      verb_of(doctor_syntax(), run_doctor),        verb_of(describe_syntax(), describe),
  };
  return all;
}

void print_usage(Channel out) {
  print(out, "Glassworks {}: Monte Carlo campaigns on spin glasses.\n\nUsage:\n", glassworks::executable_version());
  for (const Verb& verb : verbs()) {
    print(out, "  glassworks {} {}\n      {}\n", verb.name, verb.usage, verb.meaning);
  }
  print(out,
        "\n`glassworks VERB --help` explains the options, `glassworks run --help` also the configuration keys. "
        "README.md has a first tour.\n");
}

int dispatch(const std::string& name, const Arguments& arguments) {
  if (name == "help" || name == "--help" || name == "-h") {
    print_usage(Channel::output);
    return 0;
  }
  if (name == "version" || name == "--version") {
    const std::string mpi = glassworks::mpi_library();
    print("glassworks {} ({}, {}, {})\n", glassworks::executable_version(), glassworks::executable_commit(),
          glassworks::executable_compiler(), mpi.empty() ? "no MPI" : mpi);
    return 0;
  }
  for (const Verb& verb : verbs()) {
    if (name == verb.name) return verb.call(arguments);
  }
  throw glassworks::InputError(
      fmt::format("there is no command '{}'. See `glassworks --help` for those there are.", name));
}

}  // namespace

int main(int argc, char** argv) {
  glassworks::prepare_process();
  if (argc < 2) {
    print_usage(Channel::error);
    return 2;
  }
  int status = 1;
  try {
    status = dispatch(argv[1], {argv + 2, argv + argc});
  } catch (...) {
    status = glassworks::print_failure();
  }
  return glassworks::finish_output(status);
}

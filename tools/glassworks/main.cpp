#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <new>

#include "engine/config.hpp"
#include "glassworks/version.hpp"
#include "tools/glassworks/verbs.hpp"
#include "tools/glassworks/verbs_machine.hpp"

namespace {

using glassworks::Arguments;

struct Verb {
  const char* name;
  const char* usage;
  const char* meaning;
  int (*call)(const Arguments&);
};

constexpr std::array<Verb, 7> verbs = {{
    {"run", "CONFIG [--section.key=value ...]", "create or continue a campaign", glassworks::run_campaign},
    {"status", "DIR", "how far a campaign is", glassworks::show_status},
    {"analyze", "DIR [--csv FILE] [--converged-only]", "disorder averages with errors, and a verdict",
     glassworks::analyze_campaign},
    {"inspect", "DIR [--digest] [--L N] [--realization N]", "realizations, their decisions and digests",
     glassworks::inspect_campaign},
    {"verify", "DIR [--recompute N]", "every row and checkpoint checked; N rounds simulated again",
     glassworks::verify_campaign},
    {"bench", "[--help]", "speed of this machine", glassworks::run_bench},
    {"doctor", "", "what this machine offers, and a self-test", glassworks::run_doctor},
}};

void print_usage(std::FILE* out) {
  fmt::print(out, "Glassworks {}: Monte Carlo campaigns on spin glasses.\n\nUsage:\n", glassworks::version::kVersion);
  for (const Verb& verb : verbs) {
    fmt::print(out, "  {:<62} {}\n", fmt::format("glassworks {} {}", verb.name, verb.usage), verb.meaning);
  }
  fmt::print(out, "\n`glassworks run --help` lists the configuration keys. README.md has a first tour.\n");
}

int dispatch(const std::string& name, const Arguments& arguments) {
  if (name == "help" || name == "--help" || name == "-h") {
    print_usage(stdout);
    return 0;
  }
  if (name == "version" || name == "--version") {
    fmt::print("glassworks {} ({}, {})\n", glassworks::version::kVersion, glassworks::version::kCommit,
               glassworks::version::kCompiler);
    return 0;
  }
  for (const Verb& verb : verbs) {
    if (name == verb.name) return verb.call(arguments);
  }
  throw glassworks::InputError(
      fmt::format("there is no command '{}'. See `glassworks --help` for those there are.", name));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    print_usage(stderr);
    return 2;
  }
  try {
    return dispatch(argv[1], {argv + 2, argv + argc});
  } catch (const glassworks::InputError& error) {
    fmt::print(stderr, "glassworks: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "glassworks: the memory of this machine is used up. Use a smaller backend.batch, fewer slots or "
               "a smaller lattice; nothing that was committed is lost.\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "glassworks: {}\n", error.what());
    return 1;
  }
}

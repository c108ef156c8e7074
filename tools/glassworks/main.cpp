#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "tools/glassworks/executable.hpp"
#include "tools/glassworks/failure.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/verb_table.hpp"

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

void print_usage(Channel out) {
  print(out, "Glassworks {}: Monte Carlo campaigns on spin glasses.\n\nUsage:\n", glassworks::executable_version());
  for (const glassworks::Verb& verb : glassworks::all_verbs()) {
    print(out, "  glassworks {} {}\n      {}\n", verb.syntax->verb, verb.syntax->usage(), verb.syntax->meaning);
  }
  print(out,
        "  glassworks version\n      version, commit and compiler of this program, and what is built in\n"
        "  glassworks help [VERB]\n      this text, or the options of a verb\n"
        "\n`glassworks VERB --help` explains the options, `glassworks run --help` also the configuration keys. "
        "README.md has a first tour.\n");
}

int dispatch(const std::string& name, const Arguments& arguments) {
  if (name == "help" || name == "--help" || name == "-h") {
    if (!arguments.empty()) return glassworks::verb_named(arguments.front()).call({"--help"});
    print_usage(Channel::output);
    return 0;
  }
  if (name == "version" || name == "--version") {
    glassworks::show(glassworks::version_text());
    return 0;
  }
  return glassworks::verb_named(name).call(arguments);
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

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "tools/glassworks/initial_config.hpp"
#include "tools/glassworks/output.hpp"
#include "tools/glassworks/output_option.hpp"
#include "tools/glassworks/verbs.hpp"

namespace glassworks { inline namespace tools {

const VerbSyntax& init_syntax() {
  static const VerbSyntax syntax{
      .verb = "init",
      .operand = fmt::format("{}", fmt::join(initial_models(), "|")),
      .meaning = "write a commented configuration for a model, to begin with",
      .options = {{"out", "FILE", "the configuration (default: MODEL.cfg in this directory)"}, force_option()}};
  return syntax;
}

int write_initial_config(const Arguments& arguments) {
  const ParsedArguments parsed = parse_arguments(init_syntax(), arguments);
  if (parsed.help) {
    show(init_syntax().help());
    return 0;
  }
  const std::string text = initial_config(parsed.operand);
  const std::filesystem::path file = text_of(parsed, "out").value_or(parsed.operand + ".cfg");
  write_output(parsed, file, "out", text);
  print("Configuration: {0}\nTo see its cost: glassworks run {0} --dry-run\nTo run it: glassworks run {0}\n",
        file.string());
  return 0;
}

}}  // namespace glassworks::tools

#include "tools/glassworks/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/config.hpp"

namespace glassworks::inline tools {
namespace {

/// What the operand is called, and an example of it.
struct OperandWords {
  std::string article, name, example;
};

OperandWords words(const VerbSyntax& syntax) {
  if (syntax.operand == "CONFIG") return {"one", "configuration file", "configs/quickstart.cfg"};
  if (syntax.operand != "DIR") return {"a", "name", syntax.operand.substr(0, syntax.operand.find('|'))};
  return {"a", "campaign directory", "campaigns/quickstart"};
}

std::string shown(const Option& option) {
  return option.value.empty() ? "--" + option.name : fmt::format("--{} {}", option.name, option.value);
}

void take_operand(const VerbSyntax& syntax, const std::string& argument, ParsedArguments& parsed) {
  if (syntax.operand.empty()) {
    throw InputError(
        fmt::format("`glassworks {0}` cannot use '{1}' (it takes options only). See `glassworks {0} "
                    "--help`.",
                    syntax.verb, argument));
  }
  if (!parsed.operand.empty()) {
    throw InputError(fmt::format("`glassworks {}` takes one {} ('{}' and '{}' given). Name one.", syntax.verb,
                                 words(syntax).name, parsed.operand, argument));
  }
  parsed.operand = argument;
}

[[noreturn]] void refuse_option(const VerbSyntax& syntax, const std::string& argument, const char* why) {
  throw InputError(fmt::format("`glassworks {}` cannot use '{}' ({}). See `glassworks {} --help`.", syntax.verb,
                               argument, why, syntax.verb));
}

/// Options begin with two hyphens.
bool is_option(const std::string& argument) { return argument.starts_with("--"); }

}  // namespace

std::string VerbSyntax::usage() const {
  std::string text = operand;
  for (const Option& option : options) {
    if (!text.empty()) text += ' ';
    text += option.required ? shown(option) : fmt::format("[{}]", shown(option));
    if (option.repeatable) text += "...";
  }
  return keys ? text + " [--section.key=value ...]" : text;
}

std::string VerbSyntax::help() const {
  std::string text = fmt::format("Usage: glassworks {} {}\n\n", verb, usage());
  text += static_cast<char>(std::toupper(static_cast<unsigned char>(meaning.front()))) + meaning.substr(1) + ".\n\n";
  for (const Option& option : options) text += fmt::format("  {:<24} {}\n", shown(option), option.meaning);
  text += fmt::format("  {:<24} this text\n", "--help");
  return more.empty() ? text : text + '\n' + more + '\n';
}

ParsedArguments parse_arguments(const VerbSyntax& syntax, const Arguments& arguments) {
  ParsedArguments parsed;
  if (std::any_of(arguments.begin(), arguments.end(), [](auto& a) { return a == "--help" || a == "-h"; })) {
    parsed.help = true;
    return parsed;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("-")) {
      take_operand(syntax, argument, parsed);
      continue;
    }
    const auto equals = argument.find('=');
    const std::string name =
        is_option(argument) ? argument.substr(2, equals == argument.npos ? equals : equals - 2) : "";
    const auto option = std::ranges::find(syntax.options, name, &Option::name);
    if (option == syntax.options.end()) {
      if (!syntax.keys) refuse_option(syntax, argument, "there is no such option");
      if (equals == argument.npos || !is_option(argument)) {
        refuse_option(syntax, argument, "there is no such option; a key is set by --section.key=value");
      }
      parsed.keys.push_back(argument.substr(2));
    } else if (option->value.empty()) {
      if (equals != argument.npos) refuse_option(syntax, argument, "this option takes no value");
      parsed.options[name] = "";
    } else {
      const bool follows = equals == argument.npos;
      if (follows && ++i == arguments.size()) refuse_option(syntax, argument, "its value is missing");
      const std::string value = follows ? arguments[i] : argument.substr(equals + 1);
      if (option->repeatable) {
        parsed.lists[name].push_back(value);
      } else {
        parsed.options[name] = value;
      }
    }
  }
  if (!syntax.operand.empty() && parsed.operand.empty()) {
    const auto [article, name, example] = words(syntax);
    throw InputError(fmt::format("`glassworks {}` needs {} {} (none was given). For example: `glassworks {} {}`.",
                                 syntax.verb, article, name, syntax.verb, example));
  }
  for (const Option& option : syntax.options) {
    if (!option.required || parsed.has(option.name)) continue;
    throw InputError(fmt::format("`glassworks {}` needs --{} (it was not given). See `glassworks {} --help`.",
                                 syntax.verb, option.name, syntax.verb));
  }
  return parsed;
}

std::optional<std::string> text_of(const ParsedArguments& parsed, const std::string& name) {
  const auto found = parsed.options.find(name);
  return found == parsed.options.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> whole_number(const ParsedArguments& parsed, const std::string& name) {
  const auto found = parsed.options.find(name);
  if (found == parsed.options.end()) return std::nullopt;
  const std::string& text = found->second;
  int value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < 0) {
    throw InputError(
        fmt::format("--{} = '{}' cannot be used (it is no whole number from 0 to 2147483647). Give one.", name, text));
  }
  return value;
}

std::optional<int> whole_number(const ParsedArguments& parsed, const std::string& name, int smallest, int largest) {
  const std::optional<int> value = whole_number(parsed, name);
  if (!value || (*value >= smallest && *value <= largest)) return value;
  throw InputError(fmt::format("--{} = {} cannot be used (it lies outside {} to {}). Choose a value in that range.",
                               name, *value, smallest, largest));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

}  // namespace glassworks::inline tools

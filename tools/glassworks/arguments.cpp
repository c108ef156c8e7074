#include "tools/glassworks/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "engine/config.hpp"
#include "engine/near_name.hpp"

namespace glassworks::inline tools {
namespace {

/// What the operand is called, and an example of it.
struct OperandWords {
  std::string article, name, example;
};

OperandWords words(const VerbSyntax& syntax) {
  if (syntax.operand == "CONFIG") return {"one", "configuration file", "configs/quickstart.cfg"};
  if (syntax.operand != "DIR") {
    const std::vector<std::string> names = split(syntax.operand, '|');
    return {"one of", fmt::format("{}", fmt::join(names, ", ")), names.front()};
  }
  return {"a", "campaign directory", "campaigns/quickstart"};
}

std::string shown(const Option& option) {
  return option.value.empty() ? "--" + option.name : fmt::format("--{} {}", option.name, option.value);
}

void take_operand(const VerbSyntax& syntax, const std::string& argument, ParsedArguments& parsed) {
  if (syntax.operand.empty()) {
    throw InputError(InputFault::unknown, argument,
                     fmt::format("`glassworks {0}` cannot use '{1}' (it takes options only). See `glassworks {0} "
                                 "--help`.",
                                 syntax.verb, argument));
  }
  if (!parsed.operand.empty() && parsed.second.empty() && !syntax.second.empty()) {
    parsed.second = argument;
    return;
  }
  if (!parsed.operand.empty() && syntax.count == OperandCount::one) {
    const bool has_names = syntax.operand.find('|') != std::string::npos;
    throw InputError(InputFault::repeated, syntax.verb,
                     fmt::format("`glassworks {}` takes one {} ('{}' and '{}' given). Name one.", syntax.verb,
                                 has_names ? "word" : words(syntax).name, parsed.operand, argument));
  }
  if (parsed.operand.empty()) parsed.operand = argument;
  parsed.operands.push_back(argument);
}

/// What is wrong with an argument; the last sentence is a name that may be meant, or the help.
[[noreturn]] void refuse_option(InputFault fault, const VerbSyntax& syntax, const std::string& argument,
                                const std::string& why, const std::string& what_to_do = "") {
  throw InputError(
      fault, argument.substr(0, argument.find('=')),
      fmt::format("`glassworks {}` cannot use '{}' ({}). {}", syntax.verb, argument, why,
                  what_to_do.empty() ? fmt::format("See `glassworks {} --help`.", syntax.verb) : what_to_do));
}

[[noreturn]] void refuse_unknown(const VerbSyntax& syntax, const std::string& argument, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Option& option : syntax.options) names.emplace_back(option.name);
  names.emplace_back("help");
  if (syntax.keys) {
    for (const ConfigKey& key : config_keys()) names.emplace_back(key.name);
  }
  const std::string help = fmt::format("See `glassworks {} --help`.", syntax.verb);
  refuse_option(
      InputFault::unknown, syntax, argument,
      syntax.keys ? "there is no such option, and a key is set by --section.key=value" : "there is no such option",
      suggestion(name, names, help, "--"));
}

/// Options begin with two hyphens.
bool is_option(const std::string& argument) { return argument.starts_with("--"); }

/// An argument that may have its value behind it: "--name=value", or "--name" and then the value.
class OptionArgument {
 public:
  OptionArgument(const Arguments& arguments, std::size_t index)
      : arguments_(arguments), index_(index), equals_(arguments[index].find('=')) {
    const std::string& text = arguments[index];
    const std::size_t hyphens = is_option(text) ? 2 : 1;
    name_ = text.substr(hyphens, has_value() ? equals_ - hyphens : std::string::npos);
  }

  [[nodiscard]] const std::string& text() const { return arguments_[index_]; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has_value() const { return equals_ != std::string::npos; }

  /// The value; `last` becomes the argument that holds it.
  ///
  /// of_any_form  it may begin with two hyphens
  [[nodiscard]] std::string value(const VerbSyntax& syntax, std::size_t& last, bool of_any_form) const {
    if (has_value()) return text().substr(equals_ + 1);
    if (index_ + 1 == arguments_.size()) refuse_option(InputFault::missing, syntax, text(), "its value is missing");
    const std::string& next = arguments_[index_ + 1];
    if (!of_any_form && is_option(next)) {
      refuse_option(InputFault::missing, syntax, text(), fmt::format("its value is missing: '{}' is an option", next),
                    fmt::format("If that is the value, write '{}={}'.", text(), next));
    }
    last = index_ + 1;
    return next;
  }

 private:
  const Arguments& arguments_;
  std::size_t index_, equals_;
  std::string name_;
};

/// Whether "--section.key" is meant, known or not.
bool names_key(const VerbSyntax& syntax, const OptionArgument& given) {
  return syntax.keys && is_option(given.text()) && given.name().find('.') != std::string::npos;
}

void require_options(const VerbSyntax& syntax, const ParsedArguments& parsed) {
  std::vector<std::string> missing;
  for (const Option& option : syntax.options) {
    if (option.required && !parsed.has(option.name) && !parsed.lists.contains(option.name)) {
      missing.push_back("--" + option.name);
    }
  }
  if (missing.empty()) return;
  throw InputError(InputFault::missing, fmt::format("{}", fmt::join(missing, ", ")),
                   fmt::format("`glassworks {0}` needs {1} ({2} not given). See `glassworks {0} --help`.", syntax.verb,
                               enumeration(missing), missing.size() == 1 ? "it was" : "they were"));
}

}  // namespace

std::string VerbSyntax::usage() const {
  std::string text = operand;
  if (count == OperandCount::one_or_more) text += "...";
  if (!second.empty()) text += fmt::format(" [{}]", second);
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
    const OptionArgument given(arguments, i);
    const auto option = std::ranges::find(syntax.options, given.name(), &Option::name);
    if (names_key(syntax, given)) {
      parsed.keys.push_back(given.name() + '=' + given.value(syntax, i, false));
    } else if (option == syntax.options.end() || !is_option(argument)) {
      refuse_unknown(syntax, argument, given.name());
    } else if (option->value.empty()) {
      if (given.has_value()) refuse_option(InputFault::malformed, syntax, argument, "this option takes no value");
      parsed.options[given.name()] = "";
    } else if (option->repeatable) {
      parsed.lists[given.name()].push_back(given.value(syntax, i, true));
    } else {
      parsed.options[given.name()] = given.value(syntax, i, false);
    }
  }
  if (!syntax.operand.empty() && parsed.operand.empty()) {
    const auto [article, name, example] = words(syntax);
    throw InputError(InputFault::missing, syntax.verb,
                     fmt::format("`glassworks {}` needs {} {} (none was given). For example: `glassworks {} {}`.",
                                 syntax.verb, article, name, syntax.verb, example));
  }
  require_options(syntax, parsed);
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
        InputFault::malformed, "--" + name,
        fmt::format("--{} = '{}' cannot be used (it is no whole number from 0 to 2147483647). Give one.", name, text));
  }
  return value;
}

std::optional<int> whole_number(const ParsedArguments& parsed, const std::string& name, int smallest, int largest) {
  const std::optional<int> value = whole_number(parsed, name);
  if (!value || (*value >= smallest && *value <= largest)) return value;
  throw InputError(InputFault::out_of_range, "--" + name,
                   fmt::format("--{} = {} cannot be used (it lies outside {} to {}). Choose a value in that range.",
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

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glassworks { inline namespace tools {

/// Arguments after the verb.
using Arguments = std::vector<std::string>;

struct Option {
  std::string name;     ///< without the two hyphens
  std::string value;    ///< placeholder of its value in the help; empty: a flag
  std::string meaning;  ///< one line
  bool required = false;
  bool repeatable = false;
  std::vector<std::string> choices = {};  ///< all allowed values; empty: any value
};

/// An option with one of a few values.
[[nodiscard]] inline Option choice(std::string name, std::string value, std::string meaning,
                                   std::vector<std::string> choices) {
  return {std::move(name), std::move(value), std::move(meaning), false, false, std::move(choices)};
}

enum class OperandCount { one, one_or_more };

/// What a verb accepts: an operand and options ("--name value" or "--name=value").
struct VerbSyntax {
  std::string verb, operand = {};  ///< operand: DIR, CONFIG, names with | between them, or none
  std::string second = {};         ///< an operand behind it that may be left out, in the same form
  OperandCount count = OperandCount::one;
  std::string meaning;  ///< one line
  std::vector<Option> options;
  bool keys = false;      ///< also --section.key=value and --section.key value
  std::string more = {};  ///< what the help says at its end

  /// "DIR [--json]"
  [[nodiscard]] std::string usage() const;
  /// The text of `glassworks VERB --help`.
  [[nodiscard]] std::string help() const;
};

struct ParsedArguments {
  bool help = false;  ///< --help was given; nothing else was parsed
  std::string operand, second;
  std::vector<std::string> operands;  ///< `operand` and, where a verb takes several, those behind it
  std::map<std::string, std::string> options;
  std::map<std::string, std::vector<std::string>> lists;  ///< of repeatable options, in the order given
  std::vector<std::string> keys;                          ///< "section.key=value"

  [[nodiscard]] bool has(const std::string& name) const { return options.contains(name); }
};

/// Throws InputError for what the verb does not accept, and without its operand or a required option. Options of one
/// value do not take a following argument that begins with "--": that needs "--name=value".
[[nodiscard]] ParsedArguments parse_arguments(const VerbSyntax& syntax, const Arguments& arguments);

/// Value of an option that takes a text; none if it was not given.
[[nodiscard]] std::optional<std::string> text_of(const ParsedArguments& parsed, const std::string& name);

/// Value of an option that takes a whole number from 0 on; none if it was not given. Throws InputError.
[[nodiscard]] std::optional<int> whole_number(const ParsedArguments& parsed, const std::string& name);
/// The same from `smallest` to `largest`.
[[nodiscard]] std::optional<int> whole_number(const ParsedArguments& parsed, const std::string& name, int smallest,
                                              int largest);

/// Value of --minutes, 0.01 to 10000; none if it was not given. Throws InputError.
[[nodiscard]] std::optional<double> minutes_of(const ParsedArguments& parsed);

/// Pieces of a text between the separators: one more than there are separators.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator);

}}  // namespace glassworks::tools

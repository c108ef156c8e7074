#include "tools/glassworks/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>

#include "base/text.hpp"
#include "engine/config/config_sources.hpp"
#include "engine/config/foreign_words.hpp"

namespace glassworks { inline namespace tools {
namespace {

namespace po = boost::program_options;
using Texts = std::vector<std::string>;

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
      syntax.keys ? advice_for(foreign_key, name, names, help, "--") : suggestion(name, names, help, "--"));
}

/// Options begin with two hyphens.
bool is_option(const std::string& argument) { return argument.starts_with("--"); }

/// Of operands; no argument can have it, as names end at the first equals sign.
constexpr const char* operand_name = "operand=";

/// The options of a verb (and the keys, if it takes them) for Boost.Program_options. Every option collects its values.
po::options_description described(const VerbSyntax& syntax) {
  po::options_description description;
  const auto add = [&](const std::string& name, bool has_value) {
    auto* const values = po::value<Texts>();
    description.add_options()(name.c_str(), has_value ? values : values->zero_tokens());
  };
  for (const Option& option : syntax.options) add(option.name, !option.value.empty());
  if (syntax.keys) {
    for (const ConfigKey& key : config_keys()) add(key.name, true);
  }
  add(operand_name, true);
  return description;
}

/// Arguments that the library would read in another way: "--name=" has an empty value, and "--" alone is refused.
std::vector<po::option> parse_special_tokens(Texts& arguments) {
  const std::string argument = arguments.front();
  const bool has_empty_value = is_option(argument) && argument.find('=') == argument.size() - 1;
  if (!has_empty_value && argument != "--") return {};
  po::option option(has_empty_value ? argument.substr(2, argument.size() - 3) : argument, {});
  if (has_empty_value) option.value = {""};
  option.original_tokens = {argument};
  arguments.erase(arguments.begin());
  return {option};
}

po::parsed_options parsed_by_library(const VerbSyntax& syntax, const po::options_description& description,
                                     const Arguments& arguments) {
  namespace style = po::command_line_style;
  po::positional_options_description operands;
  operands.add(operand_name, -1);
  try {
    return po::command_line_parser(arguments)
        .options(description)
        .positional(operands)
        .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
        .extra_style_parser(parse_special_tokens)
        .allow_unregistered()
        .run();
  } catch (const po::invalid_command_line_syntax& error) {
    // Named without its value, or with one that it does not take.
    const std::string name = error.get_option_name();
    if (error.kind() != po::invalid_command_line_syntax::extra_parameter) {
      refuse_option(InputFault::missing, syntax, name, "its value is missing");
    }
    const auto given = std::ranges::find_if(arguments, [&](auto& a) { return a.starts_with(name + '='); });
    refuse_option(InputFault::malformed, syntax, given == arguments.end() ? name : *given,
                  "this option takes no value");
  }
}

/// Refuses what the library accepts and no verb does: unknown names, and options in the place of values.
void require_known(const VerbSyntax& syntax, const po::option& option) {
  const std::string& argument = option.original_tokens.front();
  if (option.position_key >= 0) {
    if (argument.starts_with("-")) refuse_unknown(syntax, argument, argument.substr(1, argument.find('=') - 1));
    return;
  }
  if (option.unregistered) {
    if (syntax.keys && option.string_key.find('.') != std::string::npos) {
      require_key(option.string_key, command_line, TextOrigin::person);
    }
    refuse_unknown(syntax, argument, option.string_key);
  }
  const auto known = std::ranges::find(syntax.options, option.string_key, &Option::name);
  const bool of_any_form = known != syntax.options.end() && known->repeatable;
  if (!of_any_form && option.original_tokens.size() > 1 && is_option(option.value.back())) {
    const std::string& next = option.value.back();
    refuse_option(InputFault::missing, syntax, argument, fmt::format("its value is missing: '{}' is an option", next),
                  fmt::format("If that is the value, write '{}={}'.", argument, next));
  }
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
  const po::options_description description = described(syntax);
  const po::parsed_options given = parsed_by_library(syntax, description, arguments);
  for (const po::option& option : given.options) {
    require_known(syntax, option);
    if (option.position_key >= 0)
      take_operand(syntax, option.value.front(), parsed);
    else if (option.string_key.find('.') != std::string::npos)
      parsed.keys.push_back(option.string_key + '=' + option.value.back());
  }
  po::variables_map values;
  po::store(given, values);
  for (const Option& option : syntax.options) {
    if (!values.contains(option.name)) continue;
    const Texts& texts = values[option.name].as<Texts>();
    if (option.repeatable) {
      parsed.lists[option.name] = texts;
    } else {
      parsed.options[option.name] = texts.empty() ? "" : texts.back();
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

std::optional<double> minutes_of(const ParsedArguments& parsed) {
  const std::string name = "minutes";
  constexpr double least = 0.01, most = 10000.0;
  const auto text = text_of(parsed, name);
  if (!text) return std::nullopt;
  double minutes = 0.0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), minutes);
  if (error == std::errc() && end == text->data() + text->size() && minutes >= least && minutes <= most) return minutes;
  throw InputError(
      InputFault::malformed, "--" + name,
      fmt::format("--{} = '{}' cannot be used (it is no number from {} to {}). Give one.", name, *text, least, most));
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

}}  // namespace glassworks::tools

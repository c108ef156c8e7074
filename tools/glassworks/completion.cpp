#include "tools/glassworks/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_value.hpp"
#include "tools/glassworks/verb_table.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// What may follow an option, a key or a verb.
enum class Kind { nothing, words, files, directories, text };

struct Value {
  Kind kind = Kind::text;
  std::vector<std::string> words;
};

/// From the name that the help gives to a value: FILE, DIR, CONFIG, or names with | between them.
Value value_of(const std::string& shown, const std::vector<std::string>& choices = {}) {
  if (!choices.empty()) return {Kind::words, choices};
  if (shown.empty()) return {Kind::nothing, {}};
  if (shown == "FILE" || shown == "CONFIG") return {Kind::files, {}};
  if (shown == "DIR") return {Kind::directories, {}};
  if (shown.find('|') == std::string::npos) return {};
  return {Kind::words, split(shown, '|')};
}

/// A key that has one of some names ("a | b") or is a path completes to it.
Value value_of(const ConfigKey& key) {
  if (key.values == "path") return {Kind::files, {}};
  Value value{Kind::words, {}};
  for (std::string_view rest = key.values; !rest.empty();) {
    const std::size_t bar = std::min(rest.find(" | "), rest.size());
    const std::string word(rest.substr(0, bar));
    if (word.find_first_of(" ,;:") != word.npos) return {};
    value.words.push_back(word);
    rest.remove_prefix(std::min(bar + 3, rest.size()));
  }
  return value.words.size() > 1 ? value : Value{};
}

/// Every option of a verb, --help among them.
std::vector<Option> options_of(const VerbSyntax& syntax) {
  std::vector<Option> options = syntax.options;
  options.push_back({"help", "", "shows the help"});
  return options;
}

/// Operand words of `describe`, where VERB stands for all verbs.
std::vector<std::string> second_words(const VerbSyntax& syntax) {
  std::vector<std::string> words;
  if (syntax.second.empty()) return words;
  for (const std::string& word : split(syntax.second, '|')) {
    if (word != "VERB") {
      words.push_back(word);
      continue;
    }
    for (const Verb& verb : all_verbs()) words.push_back(verb.syntax->verb);
  }
  return words;
}

std::string escaped(std::string_view text, std::string_view special, std::string_view before) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += before;
    result += c;
  }
  return result;
}

std::string first_lines(const char* shell) {
  return fmt::format("# Completion of glassworks for {0}, printed by `glassworks describe completion {0}`.\n", shell);
}

// --- bash ---

std::string bash_reply(const Value& value) {
  switch (value.kind) {
    case Kind::words:
      return fmt::format("_glassworks_words '{}'", fmt::join(value.words, " "));
    case Kind::files:
      return "_glassworks_files -f";
    case Kind::directories:
      return "_glassworks_files -d";
    default:
      return ":";
  }
}

std::string bash_script() {
  std::vector<std::string> verbs;
  std::string after_option, of_verb, of_key, keys;
  for (const Verb& verb : all_verbs()) {
    const VerbSyntax& syntax = *verb.syntax;
    verbs.push_back(syntax.verb);
    std::string names;
    for (const Option& option : options_of(syntax)) {
      names += (names.empty() ? "--" : " --") + option.name;
      if (option.value.empty()) continue;
      after_option += fmt::format("    '{} --{}') {}; return ;;\n", syntax.verb, option.name,
                                  bash_reply(value_of(option.value, option.choices)));
    }
    std::string operand = bash_reply(value_of(syntax.operand));
    if (const auto words = second_words(syntax); !words.empty()) {
      operand = fmt::format("if [[ $COMP_CWORD -eq 2 ]]; then {}; else _glassworks_words '{}'; fi", operand,
                            fmt::join(words, " "));
    }
    of_verb += fmt::format("    {}) options='{}{}'; operand() {{ {}; }} ;;\n", syntax.verb, names,
                           syntax.keys ? "'\" $keys\"'" : "", operand);
    if (!syntax.keys) continue;
    of_key += (of_key.empty() ? "" : "|") + syntax.verb;
  }
  std::string key_values;
  for (const ConfigKey& key : config_keys()) {
    keys += (keys.empty() ? "--" : " --") + key.name;
    key_values += fmt::format("      --{}) {}; return ;;\n", key.name, bash_reply(value_of(key)));
  }
  return first_lines("bash") +
         fmt::format(R"(_glassworks_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }}
_glassworks_files() {{
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}}
_glassworks() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}" verb="${{COMP_WORDS[1]}}" options=''
  local keys='{}'
  COMPREPLY=()
  if [[ $COMP_CWORD -le 1 ]]; then
    _glassworks_words '{} help version'
    return
  fi
  if [[ $current == '=' ]]; then current=''; fi
  if [[ $before == '=' ]]; then before="${{COMP_WORDS[COMP_CWORD - 2]}}"; fi
  case "$verb $before" in
{}  esac
  case "$verb" in {})
    case "$before" in
{}    esac ;;
  esac
  operand() {{ :; }}
  case "$verb" in
    help) operand() {{ _glassworks_words '{}'; }} ;;
{}  esac
  if [[ $current == -* ]]; then _glassworks_words "$options"; else operand; fi
  unset -f operand
}}
complete -F _glassworks glassworks
)",
                     keys, fmt::join(verbs, " "), after_option, of_key, key_values, fmt::join(verbs, " "), of_verb);
}

// --- zsh ---

std::string zsh_action(const Value& value) {
  switch (value.kind) {
    case Kind::words:
      return fmt::format("({})", fmt::join(value.words, " "));
    case Kind::files:
      return "_files";
    case Kind::directories:
      return "_files -/";
    default:
      return " ";
  }
}

/// Text inside a specification of _arguments, which stands in single quotes.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : escaped(text, "\\[]:", "\\")) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result;
}

std::string zsh_option(const std::string& name, const std::string& meaning, const std::string& shown,
                       const Value& value, bool repeatable) {
  const std::string spec = fmt::format("{}--{}", repeatable ? "*" : "", name);
  if (value.kind == Kind::nothing) return fmt::format("      '{}[{}]' \\\n", spec, zsh_text(meaning));
  return fmt::format("      '{}=[{}]:{}:{}' \\\n", spec, zsh_text(meaning), zsh_text(shown), zsh_action(value));
}

std::string zsh_script() {
  std::string verbs, cases, keys, names;
  for (const Verb& verb : all_verbs()) {
    const VerbSyntax& syntax = *verb.syntax;
    names += (names.empty() ? "" : " ") + syntax.verb;
    verbs += fmt::format("      '{}:{}'\n", syntax.verb, zsh_text(syntax.meaning));
    cases += fmt::format("    {})\n      _arguments \\\n", syntax.verb);
    for (const Option& option : options_of(syntax)) {
      cases += zsh_option(option.name, option.meaning, option.value, value_of(option.value, option.choices),
                          option.repeatable);
    }
    if (syntax.keys) cases += "      $keys \\\n";
    if (!syntax.operand.empty()) {
      const char* place = syntax.count == OperandCount::one_or_more ? "*" : "1";
      cases +=
          fmt::format("      '{}:{}:{}' \\\n", place, zsh_text(syntax.operand), zsh_action(value_of(syntax.operand)));
    }
    if (const auto words = second_words(syntax); !words.empty()) {
      cases += fmt::format("      '2:{}:({})' \\\n", zsh_text(syntax.second), fmt::join(words, " "));
    }
    cases += "      && return ;;\n";
  }
  for (const ConfigKey& key : config_keys()) {
    const std::string option = zsh_option(key.name, key.meaning, key.values, value_of(key), false);
    keys += option.substr(0, option.size() - 2) + "\n";
  }
  return "#compdef glassworks\n" + first_lines("zsh") +
         fmt::format(R"(_glassworks() {{
  local -a verbs keys
  if (( CURRENT == 2 )); then
    verbs=(
{}      'help:the usage of all verbs'
      'version:version, commit and what is built in'
    )
    _describe -t verbs 'command' verbs
    return
  fi
  keys=(
{}  )
  local verb="${{words[2]}}"
  shift words
  (( CURRENT-- ))
  case "$verb" in
    help)
      _arguments '1:VERB:({})' && return ;;
{}  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _glassworks "$@"
else
  compdef _glassworks glassworks
fi
)",
                     verbs, keys, names, cases);
}

// --- fish ---

std::string fish_text(std::string_view text) { return "'" + escaped(text, "\\'", "\\") + "'"; }

std::string fish_value(const Value& value) {
  switch (value.kind) {
    case Kind::nothing:
      return "";
    case Kind::words:
      return fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(value.words, " "))));
    case Kind::files:
      return " -r -F";
    case Kind::directories:
      return " -x -a '(__fish_complete_directories)'";
    default:
      return " -x";
  }
}

std::string fish_operand(const Value& value) {
  switch (value.kind) {
    case Kind::words:
      return fmt::format(" -a {}", fish_text(fmt::format("{}", fmt::join(value.words, " "))));
    case Kind::files:
      return " -F";
    case Kind::directories:
      return " -a '(__fish_complete_directories)'";
    default:
      return "";
  }
}

std::string fish_script() {
  std::string text = first_lines("fish") + "complete -c glassworks -f\n";
  const auto verb_line = [&](const std::string& verb, const std::string& meaning) {
    text += fmt::format("complete -c glassworks -n __fish_use_subcommand -a {} -d {}\n", verb, fish_text(meaning));
  };
  for (const Verb& verb : all_verbs()) verb_line(verb.syntax->verb, verb.syntax->meaning);
  verb_line("help", "the usage of all verbs");
  verb_line("version", "version, commit and what is built in");
  std::string with_keys;
  for (const Verb& verb : all_verbs()) {
    const VerbSyntax& syntax = *verb.syntax;
    const std::string line = fmt::format("complete -c glassworks -n '__fish_seen_subcommand_from {}'", syntax.verb);
    for (const Option& option : options_of(syntax)) {
      text += fmt::format("{} -l {}{} -d {}\n", line, option.name, fish_value(value_of(option.value, option.choices)),
                          fish_text(option.meaning));
    }
    if (const std::string operand = fish_operand(value_of(syntax.operand)); !operand.empty()) {
      text += line + operand + '\n';
    }
    if (const auto words = second_words(syntax); !words.empty()) {
      text += fmt::format("{} -a '{}'\n", line, fmt::join(words, " "));
    }
    if (syntax.keys) with_keys += ' ' + syntax.verb;
  }
  for (const ConfigKey& key : config_keys()) {
    text += fmt::format("complete -c glassworks -n '__fish_seen_subcommand_from{}' -l {}{} -d {}\n", with_keys,
                        key.name, fish_value(value_of(key)), fish_text(key.meaning));
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};
  if (shell.empty()) {
    throw InputError(
        InputFault::missing, "completion",
        "`glassworks describe completion` needs a shell (bash, zsh or fish). For example: `glassworks describe "
        "completion bash`.");
  }
  throw InputError(InputFault::unknown, shell,
                   fmt::format("there is no completion for {} (there is one for bash, zsh and fish). {}",
                               in_quotes(shell), suggestion(shell, shells, "Use one of these.")));
}

}}  // namespace glassworks::tools

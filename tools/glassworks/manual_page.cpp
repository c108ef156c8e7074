#include "tools/glassworks/manual_page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "engine/config/config.hpp"
#include "glassworks/version.hpp"
#include "tools/glassworks/verb_table.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Text as roff shows it: hyphens that can be copied, no escapes, no requests at the start of a line.
std::string roff(std::string_view text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    at_start = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string sentence(const std::string& text) {
  std::string result = text;
  result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  if (result.back() != '.') result += '.';
  return roff(result);
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string heading(const std::string& name) {
  std::string capitals = name;
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH \"{}\" 1 \"\" \"Glassworks {}\" \"Glassworks manual\"\n", roff(capitals),
                     roff(version::kVersion));
}

std::string printed(const Option& option) {
  return option.value.empty() ? bold("--" + option.name) : bold("--" + option.name) + ' ' + italic(option.value);
}

std::string synopsis(const VerbSyntax& syntax) {
  std::string text = ".SH SYNOPSIS\n" + bold("glassworks " + syntax.verb);
  if (!syntax.operand.empty()) text += ' ' + italic(syntax.operand);
  if (syntax.count == OperandCount::one_or_more) text += "...";
  if (!syntax.second.empty()) text += " [" + italic(syntax.second) + "]";
  for (const Option& option : syntax.options) {
    text += fmt::format("\n{}{}{}{}", option.required ? "" : "[", printed(option), option.required ? "" : "]",
                        option.repeatable ? "..." : "");
  }
  if (syntax.keys) text += "\n[" + bold("--") + italic("section.key") + bold("=") + italic("value") + "]...";
  return text + "\n";
}

/// Blank lines separate paragraphs.
std::string paragraphs(const std::string& text) {
  std::string result;
  for (const std::string& line : split(text, '\n')) result += line.empty() ? ".PP\n" : roff(line) + '\n';
  return result;
}

std::string key_section() {
  std::string text =
      ".SH CONFIGURATION KEYS\nEvery key of the configuration file may stand on the command line, where it wins over "
      "the "
      "file.\n";
  for (const ConfigKey& key : config_keys()) {
    text += fmt::format(".TP\n{}\\fB=\\fR{}\n{}\nDefault: {}.\n", bold("--" + key.name), italic(key.values),
                        sentence(key.meaning), key.default_value.empty() ? "none" : roff(key.default_value));
  }
  return text;
}

std::string exit_section(const std::string& verb) {
  std::string text =
      ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nAn error, which one sentence on the standard error explains.\n.TP\n2\n"
      "Input that cannot be used: an argument, a key or a file.\n";
  if (verb.empty() || verb == "run") {
    text += ".TP\n75\nThe time limit of a run: the same command continues.\n";
  }
  return text + ".TP\n130\nStopped by SIGINT or SIGTERM.\n";
}

std::string page_name(const std::string& verb) { return "glassworks-" + verb; }

}  // namespace

std::string manual_page(const VerbSyntax& syntax) {
  std::string text = fmt::format(".\\\" Printed by `glassworks describe man {}`.\n", syntax.verb);
  text += heading(page_name(syntax.verb));
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(page_name(syntax.verb)), roff(syntax.meaning));
  text += synopsis(syntax);
  text += ".SH DESCRIPTION\n" + sentence(syntax.meaning) + '\n';
  if (!syntax.more.empty()) text += ".PP\n" + paragraphs(syntax.more);
  text += ".SH OPTIONS\n";
  for (const Option& option : syntax.options) {
    text += fmt::format(".TP\n{}\n{}\n", printed(option), sentence(option.meaning));
  }
  text += ".TP\n" + bold("--help") + "\nShows a help.\n";
  if (syntax.keys) text += key_section();
  return text + exit_section(syntax.verb) + ".SH SEE ALSO\n\\fBglassworks\\fR(1)\n";
}

std::string manual_page() {
  std::string text = ".\\\" Printed by `glassworks describe man`.\n" + heading("glassworks");
  text +=
      ".SH NAME\nglassworks \\- Monte Carlo campaigns on spin glasses\n.SH SYNOPSIS\n\\fBglassworks\\fR \\fIVERB\\fR "
      "[\\fIoperand\\fR] [\\fIoptions\\fR]\n.SH DESCRIPTION\nA campaign is a configuration file with a directory of "
      "its "
      "own, in which all results are kept.\n.SH COMMANDS\n";
  std::string pages;
  for (const Verb& verb : all_verbs()) {
    const std::string& name = verb.syntax->verb;
    text += fmt::format(".TP\n{}\n{}\n", bold(name), sentence(verb.syntax->meaning));
    pages += fmt::format("{}{}(1)", pages.empty() ? "" : ",\n", bold(page_name(name)));
  }
  text += ".TP\n" + bold("help") + "\nShows the usage of all commands.\n.TP\n" + bold("version") +
          "\nShows version, commit, compiler and what is built in.\n";
  return text + exit_section("") + ".SH SEE ALSO\n" + pages + '\n';
}

}}  // namespace glassworks::tools

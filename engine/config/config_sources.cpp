#include "engine/config/config_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/detail/config_file.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <ranges>
#include <set>
#include <span>

#include "base/text.hpp"
#include "engine/config/config_table.hpp"
#include "engine/config/foreign_words.hpp"

namespace glassworks { inline namespace engine {
namespace {

namespace po = boost::program_options;
using OptionIterator = po::detail::common_config_file_iterator;

/// All keys, the value of each being two texts: itself and its place.
const po::options_description& described_keys() {
  static const po::options_description description = [] {
    po::options_description keys;
    for (const KeyBinding& binding : key_bindings()) {
      keys.add_options()(binding.key.name.c_str(), po::value<std::vector<std::string>>());
    }
    return keys;
  }();
  return description;
}

/// The keys that a text may hold.
const std::set<std::string>& known_keys(TextOrigin origin) {
  const auto names = [](bool all) {
    std::set<std::string> list;
    for (const KeyBinding& binding : key_bindings()) {
      if (all || binding.scope != KeyScope::file_content) list.insert(binding.key.name);
    }
    return list;
  };
  static const std::set<std::string> of_person = names(false), of_database = names(true);
  return origin == TextOrigin::person ? of_person : of_database;
}

/// Goes through the entries of a text and knows the line of each: po::parse_config_file keeps no lines.
class TextIterator final : public OptionIterator {
 public:
  /// Stands before the first entry.
  TextIterator(std::string_view text, TextOrigin origin) : OptionIterator(known_keys(origin), true), rest_(text) {}

  [[nodiscard]] int line() const { return line_; }

  [[nodiscard]] static std::string key_of(const po::option& option) {
    const std::string& key = option.string_key;
    return key.starts_with(no_section) ? key.substr(no_section.size()) : key;
  }

 private:
  /// A section that no text can hold: the library has no way back to keys without one.
  static constexpr std::string_view no_section = "\n.";

  bool getline(std::string& line) override {
    if (rest_.empty()) return false;
    const std::size_t length = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    ++line_;
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (!content.empty() && content.front() == '[' && content.back() == ']') {
      const std::string_view section = trimmed(content.substr(1, content.size() - 2));
      line = fmt::format("[{}]", section.empty() ? no_section : section);
    }
    return true;
  }

  std::string_view rest_;
  int line_ = 0;
};

/// Replaces a value of earlier versions, which their stored campaigns contain, by its current name.
void replace_obsolete_value(ConfigEntry& entry, TextOrigin origin) {
  if (entry.key != "model.field" || entry.value != "uniform") return;
  if (origin == TextOrigin::person) {
    throw InputError(
        InputFault::unsupported, "model.field",
        fmt::format("model.field = uniform is not possible ({}: such fields are not the same everywhere, their "
                    "components are uniformly distributed). Write box for those, or constant for one field at every "
                    "site.",
                    entry.where));
  }
  entry.value = "box";
}

/// The first source of a key counts.
void store_entries(std::span<const ConfigEntry> entries, po::variables_map& values) {
  po::parsed_options parsed(&described_keys());
  for (const ConfigEntry& entry : entries)
    parsed.options.emplace_back(entry.key, std::vector{entry.value, entry.where});
  po::store(parsed, values);
}

/// What the command line gives a key. Blanks at the ends of a path belong to its name: it is refused, and no other one.
std::string override_value(std::string_view key, std::string_view text) {
  const auto is_path = [&](const KeyBinding& binding) {
    return binding.key.name == key && binding.key.values == "path";
  };
  return std::string(std::ranges::any_of(key_bindings(), is_path) ? text : trimmed(text));
}

}  // namespace

void require_key(const std::string& name, const std::string& where, TextOrigin origin) {
  const std::set<std::string>& known = known_keys(origin);
  if (known.contains(name)) return;
  std::vector<std::string_view> names;
  for (const KeyBinding& binding : key_bindings()) {
    if (known.contains(binding.key.name)) names.emplace_back(binding.key.name);
  }
  throw InputError(InputFault::unknown, name,
                   fmt::format("{} is not a known key ({}). {}", in_quotes(name), where,
                               advice_for(foreign_key, name, names, "`glassworks describe keys` lists all keys.")));
}

std::vector<ConfigEntry> text_entries(std::string_view text, const std::string& source, TextOrigin origin) {
  std::vector<ConfigEntry> entries;
  TextIterator option(text, origin);
  const auto where = [&] { return fmt::format("line {} of {}", option.line(), source); };
  try {
    for (option.get(); option != OptionIterator(); ++option) {
      entries.push_back({TextIterator::key_of(*option), option->value.front(), where()});
    }
  } catch (const po::invalid_config_file_syntax& error) {
    throw InputError(InputFault::malformed, error.tokens(),
                     fmt::format("{} is neither a section nor `key = value` ({}). Correct the line.",
                                 in_quotes(error.tokens()), where()));
  }
  std::map<std::string_view, const ConfigEntry*> first;
  for (ConfigEntry& entry : entries) {
    require_key(entry.key, entry.where, origin);
    replace_obsolete_value(entry, origin);
    const auto [other, inserted] = first.emplace(entry.key, &entry);
    if (inserted) continue;
    throw InputError(InputFault::repeated, entry.key,
                     fmt::format("{} is given twice ({} and {}). Remove one of the two.", entry.key,
                                 other->second->where, entry.where));
  }
  return entries;
}

std::vector<ConfigEntry> override_entries(const std::vector<std::string>& overrides) {
  std::vector<ConfigEntry> entries;
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw InputError(
          InputFault::malformed, text,
          fmt::format("{} sets nothing (there is no '=' in it). Write section.key=value.", in_quotes(text)));
    }
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; })) {
      throw InputError(
          InputFault::malformed, text,
          fmt::format("{} cannot be used (it holds a control character). Leave that out.", in_quotes(text)));
    }
    const std::string_view view = text, key = trimmed(view.substr(0, equals));
    ConfigEntry& entry =
        entries.emplace_back(ConfigEntry{std::string(key), override_value(key, view.substr(equals + 1)), command_line});
    require_key(entry.key, entry.where, TextOrigin::person);
    replace_obsolete_value(entry, TextOrigin::person);
  }
  return entries;
}

std::map<std::string, ConfigEntry> united_entries(const std::vector<ConfigEntry>& overrides,
                                                  const std::vector<ConfigEntry>& text) {
  po::variables_map values;
  for (const ConfigEntry& entry : std::views::reverse(overrides)) store_entries(std::span(&entry, 1), values);
  store_entries(text, values);
  std::map<std::string, ConfigEntry> entries;
  for (const auto& [key, value] : values) {
    const auto& texts = value.as<std::vector<std::string>>();
    entries.emplace(key, ConfigEntry{key, texts.front(), texts.back()});
  }
  return entries;
}

}}  // namespace glassworks::engine

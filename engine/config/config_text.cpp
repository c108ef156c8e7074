#include <fmt/format.h>

#include <charconv>

#include "base/text.hpp"
#include "engine/config/config.hpp"
#include "engine/config/config_table.hpp"
#include "engine/config/key_rows.hpp"

namespace glassworks { inline namespace engine {

std::string canonical_text(const Config& config) {
  std::string text;
  for (const KeyBinding& binding : key_bindings()) {
    const std::string value = binding.write(config);
    if (binding.scope == KeyScope::file_content && value.empty()) continue;
    if (binding.exists && !binding.exists(config)) continue;
    text += fmt::format("{} = {}\n", binding.key.name, value);
  }
  return text;
}

std::uint32_t stored_first_realization(std::string_view canonical) {
  constexpr std::string_view key = "\ndisorder.first = ";
  const std::size_t place = canonical.find(key);
  std::uint32_t first = 0;
  if (place != canonical.npos) {
    std::from_chars(canonical.data() + place + key.size(), canonical.data() + canonical.size(), first);
  }
  return first;
}

std::string ConfigChange::text() const {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("(none)") : value; };
  return fmt::format("{}: {} -> {}", key, shown(before), shown(after));
}

std::string KeyRange::text() const { return fmt::format("{} to {}", low, high); }

const std::vector<KeyBinding>& key_bindings() {
  static const std::vector<KeyBinding> bindings = [] {
    std::vector<KeyBinding> list;
    const auto whole = [](auto& config) -> auto& { return config; };
    const KeyRows rows(list, whole);
    campaign_keys(rows.in(&Config::campaign));
    model_keys(rows.in(&Config::model));
    disorder_keys(rows.in(&Config::disorder));
    replicas_keys(rows.in(&Config::replicas));
    ladder_keys(rows.in(&Config::ladder));
    protocol_keys(rows.in(&Config::protocol));
    course_keys(rows.in(&Config::course));
    round_keys(rows.in(&Config::round));
    convergence_keys(rows.in(&Config::convergence));
    backend_keys(rows.in(&Config::backend));
    workers_keys(rows.in(&Config::workers));
    checkpoint_keys(rows.in(&Config::checkpoint));
    return list;
  }();
  return bindings;
}

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> list;
    for (const KeyBinding& binding : key_bindings()) {
      if (binding.scope != KeyScope::file_content) list.push_back(binding.key);
    }
    return list;
  }();
  return keys;
}

std::string keys_page() {
  std::string text =
      "# Configuration keys\n\n"
      "Printed by `glassworks describe keys`. Sections (`[model]` with `L = 4, 6` below it) and dotted keys\n"
      "(`model.L = 4, 6`) mean the same, and `--model.L=4,6` on the command line wins over the file.\n";
  std::string section;
  for (const ConfigKey& key : config_keys()) {
    const std::string name = key.name.substr(0, key.name.find('.'));
    if (name != section) {
      section = name;
      text += fmt::format("\n## {}\n\n| key | values | default | meaning |\n|---|---|---|---|\n", section);
    }
    text +=
        fmt::format("| `{}` | {} | {} | {} |\n", key.name, markdown_cell(key.values),
                    key.default_value.empty() ? "none" : markdown_cell(key.default_value), markdown_cell(key.meaning));
  }
  return text;
}

}}  // namespace glassworks::engine

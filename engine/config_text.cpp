#include <fmt/format.h>

#include "engine/config_table.hpp"

namespace glassworks::inline engine {

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

std::string ConfigChange::text() const {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("(none)") : value; };
  return fmt::format("{}: {} -> {}", key, shown(before), shown(after));
}

Config continued(const Config& stored, Config given) {
  if (given.measurements_per_round.empty()) given.measurements_per_round = stored.measurements_per_round;
  if (!given.samples_per_round) given.samples_per_round = stored.samples();
  return given;
}

std::vector<ConfigChange> campaign_changes(const Config& stored, const Config& as_given) {
  const Config given = continued(stored, as_given);
  std::vector<ConfigChange> changes;
  for (const KeyBinding& binding : key_bindings()) {
    if (binding.scope == KeyScope::run) continue;
    if (binding.exists && !binding.exists(stored) && !binding.exists(given)) continue;
    ConfigChange change{binding.key.name, binding.write(stored), binding.write(given)};
    if (change.before == change.after) continue;
    // A file may be moved: its content, which the digest stands for, is what the campaign is tied to.
    if (binding.scope == KeyScope::file_path && !change.before.empty() && !change.after.empty()) continue;
    change.allowed = binding.scope == KeyScope::threshold && binding.numbers(given) > binding.numbers(stored);
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace glassworks::inline engine

#include <fmt/format.h>

#include "engine/config_table.hpp"

namespace glassworks {

std::string canonical_text(const Config& config) {
  std::string text;
  for (const KeyBinding& binding : key_bindings()) {
    const std::string value = binding.write(config);
    if (binding.scope == KeyScope::file_content && value.empty()) continue;
    text += fmt::format("{} = {}\n", binding.key.name, value);
  }
  return text;
}

std::vector<std::string> campaign_differences(const Config& stored, const Config& given) {
  std::vector<std::string> differences;
  for (const KeyBinding& binding : key_bindings()) {
    if (binding.scope == KeyScope::run) continue;
    const std::string before = binding.write(stored), after = binding.write(given);
    if (before == after) continue;
    // A file may be moved: its content, which the digest stands for, is what the campaign is tied to.
    if (binding.scope == KeyScope::file_path && !before.empty() && !after.empty()) continue;
    differences.push_back(fmt::format("{}: {} -> {}", binding.key.name, before.empty() ? "(none)" : before,
                                      after.empty() ? "(none)" : after));
  }
  return differences;
}

}  // namespace glassworks

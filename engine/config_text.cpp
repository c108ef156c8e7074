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

}  // namespace glassworks::inline engine

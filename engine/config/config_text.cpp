#include <fmt/format.h>

#include <charconv>

#include "engine/config/config_table.hpp"

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

}}  // namespace glassworks::engine

#include <fmt/format.h>

#include "base/markdown.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

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

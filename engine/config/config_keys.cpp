#include <fmt/format.h>

#include "engine/config/config_table.hpp"
#include "engine/config/key_rows.hpp"

namespace glassworks { inline namespace engine {

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

}}  // namespace glassworks::engine

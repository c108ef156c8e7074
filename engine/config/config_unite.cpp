#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "engine/config/config_table.hpp"

namespace glassworks { inline namespace engine {
namespace {

/// Keys that decide of which ensemble a realization is.
constexpr auto ensemble_keys = std::to_array<std::string_view>({"campaign.seed", "model.", "replicas.", "protocol."});

bool decides_ensemble(const KeyBinding& binding, const Config& config) {
  const std::string_view name = binding.key.name;
  if (binding.scope == KeyScope::run || binding.scope == KeyScope::sizes || binding.scope == KeyScope::file_path) {
    return false;
  }
  if (binding.scope == KeyScope::file_content && config.model.couplings == CouplingKind::files &&
      name == "model.couplings_digest") {
    return false;  // of the files of its realizations
  }
  return std::ranges::any_of(ensemble_keys, [&](std::string_view key) { return name.starts_with(key); });
}

/// Of the keys that `is_compared` chooses.
template <class IsCompared>
std::vector<ConfigChange> differences(const Config& one, const Config& other, const IsCompared& is_compared) {
  std::vector<ConfigChange> found;
  for (const KeyBinding& binding : key_bindings()) {
    if (!is_compared(binding) || (binding.exists && !binding.exists(one) && !binding.exists(other))) continue;
    const std::string here = binding.write(one), there = binding.write(other);
    if (here != there) found.push_back({binding.key.name, here, there});
  }
  return found;
}

int entry_of_L(const KeyBinding& binding, std::span<const Config> all, int L) {
  int entry = 0;
  bool found = false;
  for (const Config& config : all) {
    const std::vector<int>& list = binding.per_size.get(config);
    const auto place = std::ranges::find(config.model.L, L);
    if (list.empty() || place == config.model.L.end()) continue;
    const int here = entry_of_size(list, static_cast<std::size_t>(place - config.model.L.begin()));
    if (binding.key.name == "disorder.realizations") {
      entry += here;
    } else if (!found) {
      entry = here;
    }
    found = true;
  }
  return entry;
}

}  // namespace

std::vector<ConfigChange> ensemble_differences(const Config& one, const Config& other) {
  return differences(one, other, [&](const KeyBinding& binding) { return decides_ensemble(binding, one); });
}

std::vector<ConfigChange> stopping_differences(const Config& one, const Config& other) {
  return differences(one, other,
                     [](const KeyBinding& binding) { return binding.key.name.starts_with("convergence."); });
}

Config united(std::span<const Config> all) {
  Config result = all.front();
  std::set<int> sizes;
  for (const Config& config : all) {
    sizes.insert(config.model.L.begin(), config.model.L.end());
    result.disorder.first_realization = std::min(result.disorder.first_realization, config.disorder.first_realization);
    result.convergence.max_rounds = std::max(result.convergence.max_rounds, config.convergence.max_rounds);
  }
  result.model.L.assign(sizes.begin(), sizes.end());
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.per_size) continue;
    const bool complete = std::ranges::none_of(all, [&](const Config& c) { return binding.per_size.get(c).empty(); });
    std::vector<int>& list = binding.per_size.edit(result);
    list.clear();
    if (!complete) continue;  // left to the program
    for (const int L : sizes) list.push_back(entry_of_L(binding, all, L));
    if (std::ranges::adjacent_find(list, std::ranges::not_equal_to()) == list.end()) list.resize(1);
  }
  return result;
}

}}  // namespace glassworks::engine

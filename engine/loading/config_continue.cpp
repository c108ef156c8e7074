#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/config/config_table.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/loading/config_validate.hpp"
#include "engine/starts/stored_starts.hpp"

namespace glassworks { inline namespace engine {
namespace {

enum class Difference { none, raised, other };

std::optional<std::size_t> index_of(const std::vector<int>& sizes, int L) {
  const auto place = std::ranges::find(sizes, L);
  if (place == sizes.end()) return std::nullopt;
  return static_cast<std::size_t>(place - sizes.begin());
}

bool contains_all(const std::vector<int>& sizes, const std::vector<int>& others) {
  return std::ranges::all_of(others, [&](int L) { return index_of(sizes, L).has_value(); });
}

Difference difference_of_sizes(const std::vector<int>& stored, const std::vector<int>& given) {
  if (!contains_all(given, stored)) return Difference::other;
  return given.size() == stored.size() ? Difference::none : Difference::raised;
}

/// At the sizes that both configurations have.
Difference difference_of_lists(const KeyBinding& binding, const Config& stored, const Config& given) {
  const std::vector<int>&before = binding.per_size.get(stored), &after = binding.per_size.get(given);
  if (before.empty() || after.empty()) return before.empty() == after.empty() ? Difference::none : Difference::other;
  bool raised = false;
  for (std::size_t i = 0; i < stored.model.L.size(); ++i) {
    const auto place = index_of(given.model.L, stored.model.L[i]);
    if (!place) continue;
    const int was = entry_of_size(before, i), is = entry_of_size(after, *place);
    if (is < was || (is > was && binding.scope != KeyScope::threshold)) return Difference::other;
    raised = raised || is > was;
  }
  return raised ? Difference::raised : Difference::none;
}

Difference key_difference(const KeyBinding& binding, const Config& stored, const Config& given) {
  if (binding.scope == KeyScope::run) return Difference::none;
  if (binding.scope == KeyScope::sizes) return difference_of_sizes(stored.model.L, given.model.L);
  if (binding.per_size) return difference_of_lists(binding, stored, given);
  if (binding.exists && !binding.exists(stored) && !binding.exists(given)) return Difference::none;
  const std::string before = binding.write(stored), after = binding.write(given);
  if (before == after) return Difference::none;
  // A file may be moved: its content, which the digest stands for, is what the campaign is tied to.
  if (binding.scope == KeyScope::file_path && !before.empty() && !after.empty()) return Difference::none;
  const bool raised = binding.scope == KeyScope::threshold && binding.numbers(given) > binding.numbers(stored);
  return raised ? Difference::raised : Difference::other;
}

/// With the rules of the program where the campaign has nothing.
Config with_settled_values(const Config& stored, Config given) {
  const CouplingSamples* const samples = given.model.samples.get();
  if (samples != nullptr && samples->together(stored) == stored.model.couplings_digest) {
    given.model.couplings_digest = stored.model.couplings_digest;  // the same samples, and perhaps more
  }
  if (given.campaign.starts && given.campaign.starts->together(stored) == stored.campaign.start_digest)
    given.campaign.start_digest = stored.campaign.start_digest;
  if (!given.round.samples_per_round) given.round.samples_per_round = stored.round.samples();
  if (given.round.observables == 0)
    given.round.observables = stored.round.observables;  // of the model, or chosen by `settled`
  if (given.course.exists() && given.course.longest_round.count == 0) {
    given.course.longest_round = stored.course.longest_round;
    settle_course_rounds(given);
  }
  if (!given.convergence.rule_given) given.convergence.rule_given = stored.convergence.rule();
  if (!given.round.measurements_per_round.empty() || stored.round.measurements_per_round.empty()) return given;
  if (given.model.L == stored.model.L) {
    given.round.measurements_per_round = stored.round.measurements_per_round;
    return given;
  }
  std::vector<int> measurements;
  for (std::size_t i = 0; i < given.model.L.size(); ++i) {
    const auto place = index_of(stored.model.L, given.model.L[i]);
    measurements.push_back(place ? entry_of_size(stored.round.measurements_per_round, *place)
                                 : measurements_of(given, i));
  }
  given.round.measurements_per_round = std::move(measurements);
  return given;
}

/// The sizes of the first list in its order, then what else the second one has.
std::vector<int> joined_sizes(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int> sizes = first;
  std::ranges::copy_if(second, std::back_inserter(sizes), [&](int L) { return !index_of(first, L); });
  return sizes;
}

/// Puts the sizes of a configuration into another order, which may have more sizes: for these, and where `prefers`
/// says so, the entries of lists come from the stored configuration.
void take_sizes(const std::vector<int>& sizes, const Config& stored, Config& given,
                const std::function<bool(const KeyBinding&)>& prefers) {
  for (const KeyBinding& binding : key_bindings()) {
    if (!binding.per_size) continue;
    const std::vector<int>&of_stored = binding.per_size.get(stored), &of_given = binding.per_size.get(given);
    if (of_given.empty() || of_stored.empty()) continue;
    std::vector<int> entries;
    for (const int L : sizes) {
      const auto there = index_of(stored.model.L, L), here = index_of(given.model.L, L);
      const bool from_stored = there && (!here || prefers(binding));
      entries.push_back(from_stored ? entry_of_size(of_stored, *there) : entry_of_size(of_given, here.value()));
    }
    if (std::ranges::adjacent_find(entries, std::ranges::not_equal_to()) == entries.end()) entries.resize(1);
    binding.per_size.edit(given) = std::move(entries);
  }
  given.model.L = sizes;
}

}  // namespace

Config with_raised_values(const Config& stored, Config given, const std::vector<ConfigChange>& raised,
                          std::vector<ConfigChange>& kept) {
  std::vector<std::string_view> keys;
  for (const KeyBinding& binding : key_bindings()) {
    if (key_difference(binding, stored, given) != Difference::other) continue;
    const std::string value = binding.write(given);
    const bool was = std::ranges::any_of(
        raised, [&](const ConfigChange& change) { return change.key == binding.key.name && change.before == value; });
    if (!was) continue;
    keys.emplace_back(binding.key.name);
    kept.push_back({binding.key.name, value, binding.write(stored)});
  }
  if (keys.empty()) return given;
  const auto is_kept = [&](const KeyBinding& binding) {
    return std::ranges::find(keys, binding.key.name) != keys.end();
  };
  for (const KeyBinding& binding : key_bindings()) {
    if (!is_kept(binding) || binding.per_size || binding.scope == KeyScope::sizes) continue;
    binding.read(given, {binding.key.name, binding.write(stored), "the stored configuration"});
  }
  const bool keeps_sizes = std::ranges::find(keys, "model.L") != keys.end();
  take_sizes(keeps_sizes ? joined_sizes(stored.model.L, given.model.L) : given.model.L, stored, given, is_kept);
  return given;
}

Config continued(const Config& stored, Config given) {
  given = with_settled_values(stored, std::move(given));
  if (given.model.L == stored.model.L) return given;
  take_sizes(joined_sizes(stored.model.L, given.model.L), stored, given, [](const KeyBinding&) { return false; });
  return given;
}

std::vector<ConfigChange> campaign_changes(const Config& stored, const Config& as_given) {
  const Config given = with_settled_values(stored, as_given);
  std::vector<ConfigChange> changes;
  for (const KeyBinding& binding : key_bindings()) {
    const Difference found = key_difference(binding, stored, given);
    if (found == Difference::none) continue;
    changes.push_back({binding.key.name, binding.write(stored), binding.write(given), found == Difference::raised});
  }
  return changes;
}

}}  // namespace glassworks::engine

#include "engine/starts/stored_starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <system_error>

#include "base/text_file.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/checkpoint/checkpoint_values.hpp"
#include "engine/disorder/coupling_samples.hpp"
#include "engine/starts/spins_file.hpp"
#include "kernels/models/model_facts.hpp"

namespace glassworks { inline namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* checkpoints_folder = "checkpoints";

/// The newest checkpoint of each realization in a folder.
std::map<RealizationKey, fs::path> newest_checkpoints(const fs::path& folder) {
  std::map<RealizationKey, fs::path> newest;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const std::optional<StateName> state = state_of_checkpoint(name);
    if (!state) continue;
    fs::path& known = newest[state->key];
    if (known.empty() || rounds_of_checkpoint(known.filename().string()) < state->rounds) known = entry.path();
  }
  return newest;
}

InputError missing(const fs::path& folder, const std::string& what, int L, std::uint32_t realization) {
  return InputError(InputFault::missing, folder.string(),
                    fmt::format("{} holds no {} of realization {} at L = {} (campaign.start = stored needs one of "
                                "each). Add it, or lower disorder.realizations.",
                                folder.string(), what, realization, L));
}

/// Spins of slot and copy go to the replica that begins there; arrays have the replica as their first index.
template <class T>
void copy_replica(const std::vector<T>& from, std::size_t replica, std::size_t size, std::size_t to,
                  std::vector<T>& into) {
  if (from.empty()) return;
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(replica * size), size,
              into.begin() + static_cast<std::ptrdiff_t>(to * size));
}

void take_checkpoint(const fs::path& file, const std::string& digest, const CheckpointIdentity& identity,
                     const Chain& chain, ChainState& state) {
  const auto refuse = [&](const std::string& problem, const char* suggestion) {
    return InputError(InputFault::conflict, file.string(),
                      fmt::format("No history can begin with {} ({}). {}", file.string(), problem, suggestion));
  };
  const auto [found, of] = read_foreign_checkpoint(file, identity);
  if (!state_digest(found).starts_with(digest)) {
    throw refuse("its state is not the one that its name says", "Restore the file from a copy.");
  }
  if (of.slots < chain.slots() || of.copies < chain.copies) {
    throw refuse(fmt::format("it has {} slots and {} copies, and this campaign {} and {}", of.slots, of.copies,
                             chain.slots(), chain.copies),
                 "Use a ladder of fewer slots, or fewer copies.");
  }
  const auto size = static_cast<std::size_t>(chain.lattice.sites());
  for (std::size_t r = 0; r < found.slot.size(); ++r) {
    const auto copy = static_cast<int>(r / static_cast<std::size_t>(of.slots));
    const int slot = found.slot[r];
    if (copy >= chain.copies || slot >= chain.slots()) continue;
    const auto to = static_cast<std::size_t>(copy * chain.slots() + slot);
    copy_replica(found.spins, r, static_cast<std::size_t>(components_of(chain.model)) * size, to, state.spins);
    copy_replica(found.states, r, size, to, state.states);
  }
}

/// What no history can begin with; empty if all is well.
std::string problem_of_spins(const Chain& chain, const CheckpointIdentity& identity, const Disorder& disorder,
                             const ChainState& state) {
  if (std::string problem = impossible_value(state, identity); !problem.empty()) return problem;
  const std::int64_t sites = chain.lattice.sites();
  const int states = facts_of(chain.model).states;
  const std::int64_t n = chain.model.is_discrete() ? 1 : components_of(chain.model);
  for (std::int64_t i = 0; i < chain.replicas() * sites; ++i) {
    const std::int64_t replica = i / sites, site = i % sites;
    if (disorder.is_absent(site)) continue;
    if (chain.model.is_discrete()) {
      if (state.states[static_cast<std::size_t>(i)] < states) continue;
      return fmt::format("site {} of replica {} has no spin, and is not absent", site, replica);
    }
    double square = 0.0;
    for (std::int64_t c = 0; c < n; ++c) {
      const auto s = static_cast<double>(state.spins[static_cast<std::size_t>((replica * n + c) * sites + site)]);
      square += s * s;
    }
    constexpr double rounding = 1e-3;  // of |s|^2 in long runs
    if (identity.unit_vectors && std::fabs(square - 1.0) > rounding) {
      return fmt::format("the spin of site {} in replica {} has length {:.6g} instead of 1", site, replica,
                         std::sqrt(square));
    }
  }
  return {};
}

}  // namespace

StoredStarts::StoredStarts(const Config& config) {
  const fs::path& folder = config.campaign.start_from;
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InputError(InputFault::unusable_file, "campaign.start_from",
                     fmt::format("campaign.start_from = {} is not a folder (it is a campaign, or a folder of files "
                                 "with spins). Give one of these.",
                                 folder.string()));
  }
  checkpoints_ = fs::is_directory(folder / checkpoints_folder, error);
  const std::map<RealizationKey, fs::path> newest =
      checkpoints_ ? newest_checkpoints(folder / checkpoints_folder) : std::map<RealizationKey, fs::path>();
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    for (const std::uint32_t r : realization_numbers(config, i)) {
      if (checkpoints_) {
        const auto found = newest.find({L, r});
        if (found == newest.end()) throw missing(folder, "checkpoint", L, r);
        starts_[{L, r}] = {found->second, state_of_checkpoint(found->second.filename().string())->digest};
        continue;
      }
      const fs::path file = coupling_sample(folder, L, r);
      if (!fs::exists(file, error)) throw missing(folder, file.filename().string(), L, r);
      starts_[{L, r}] = {file, spins_file_digest(file)};
    }
  }
}

std::string StoredStarts::together(const Config& config) const {
  std::map<std::pair<int, std::uint32_t>, std::string> wanted;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    for (const std::uint32_t r : realization_numbers(config, i)) {
      const auto found = starts_.find({config.model.L[i], r});
      if (found == starts_.end()) return {};
      wanted[found->first] = found->second.digest;
    }
  }
  std::string text;
  for (const auto& [key, digest] : wanted) text += fmt::format("{} {} {}\n", key.first, key.second, digest);
  return text_digest(text);
}

void StoredStarts::read(const CheckpointIdentity& identity, const Chain& chain, ChainState& state) const {
  const std::uint32_t realization = identity.realization;
  const auto found = starts_.find({chain.lattice.L, realization});
  if (found == starts_.end()) {
    throw InputError(InputFault::missing, "campaign.start_from",
                     fmt::format("campaign.start_from has no start of realization {} at L = {}. Add it.", realization,
                                 chain.lattice.L));
  }
  const auto& [file, digest] = found->second;
  if (checkpoints_) return take_checkpoint(file, digest, identity, chain, state);
  read_spins_file(file, digest, chain, state);
}

void open_stored_starts(Config& config) {
  if (config.campaign.start != Start::stored) return;
  std::shared_ptr<const StoredStarts> starts = config.campaign.starts;
  std::string digest = starts ? starts->together(config) : std::string();
  if (digest.empty()) {
    starts = std::make_shared<const StoredStarts>(config);
    digest = starts->together(config);
  }
  if (!config.campaign.start_digest.empty() && config.campaign.start_digest != digest) {
    throw InputError(
        InputFault::changed, config.campaign.start_from.string(),
        fmt::format("What the histories begin with in '{}' has changed since the campaign began (its digest is {}, not "
                    "{}; a campaign that goes on has other checkpoints). Restore it, or start another campaign.",
                    config.campaign.start_from.string(), digest, config.campaign.start_digest));
  }
  config.campaign.start_digest = std::move(digest);
  config.campaign.starts = std::move(starts);
}

void check_stored_starts(const Config& config) {
  for (std::size_t i = 0; config.campaign.start == Start::stored && i < config.model.L.size(); ++i) {
    const Chain chain = make_chain(config, i);
    const std::uint32_t first = realization_numbers(config, i).front();
    ChainState state = initial_state(chain, first);
    take_stored_start(config, chain, first, make_disorder(config, chain.lattice, first), state);
  }
}

void take_stored_start(const Config& config, const Chain& chain, std::uint32_t realization, const Disorder& disorder,
                       ChainState& state) {
  Config opened;
  if (!config.campaign.starts) {
    opened = config;
    open_stored_starts(opened);
  }
  const StoredStarts& starts = config.campaign.starts ? *config.campaign.starts : *opened.campaign.starts;
  const CheckpointIdentity identity = checkpoint_identity(config, chain, realization, 0);
  starts.read(identity, chain, state);
  if (const std::string problem = problem_of_spins(chain, identity, disorder, state); !problem.empty()) {
    throw InputError(InputFault::conflict, config.campaign.start_from.string(),
                     fmt::format("Realization {} at L = {} cannot begin with its spins in '{}' ({}). Correct them, or "
                                 "use a campaign of the same model and disorder.",
                                 realization, chain.lattice.L, config.campaign.start_from.string(), problem));
  }
}

}}  // namespace glassworks::engine

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "engine/checkpoint/checkpoint_identity.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace engine {

/// What the histories of campaign.start = stored begin with: for each realization of each size the last checkpoint of a
/// campaign, or a file of spins (spins_file.hpp).
class StoredStarts {
 public:
  /// Looks up what a configuration needs. Throws InputError where something is missing.
  explicit StoredStarts(const Config& config);

  /// One digest of all that a configuration needs, in whatever order its sizes stand; empty if something was not looked
  /// up.
  [[nodiscard]] std::string together(const Config& config) const;

  /// Puts the spins of a realization into a state, copies and slots matched by number.
  ///
  /// identity  of the initial state
  /// Throws InputError or FileError
  /// where they are not those that were looked up, or do not fit.
  void read(const CheckpointIdentity& identity, const Chain& chain, ChainState& state) const;

 private:
  struct Start {
    std::filesystem::path file;
    std::string digest;  ///< of a file of spins: of its bytes; of a checkpoint: of its state, as its name has it
  };
  bool checkpoints_ = false;
  std::map<std::pair<int, std::uint32_t>, Start> starts_;
};

/// Ties a configuration with campaign.start = stored to what its histories begin with, which is looked up where the
/// configuration does not know it yet; leaves others alone. Throws InputError if the configuration is tied to another
/// content.
void open_stored_starts(Config& config);

/// Reads the start of the first realization of each size, so that one of another kind is refused before anything
/// begins. Throws InputError or FileError.
void check_stored_starts(const Config& config);

/// Puts the spins of a stored start into the initial state of a realization. Throws InputError or FileError.
void take_stored_start(const Config& config, const Chain& chain, std::uint32_t realization, const Disorder& disorder,
                       ChainState& state);

}}  // namespace glassworks::engine

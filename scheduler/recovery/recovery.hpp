#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "db/database.hpp"
#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace scheduler {

/// Checkpoint directory of one lattice size, and the configuration and chain that its states depend on.
struct StateSource {
  const std::filesystem::path& checkpoints;
  const Config& config;
  const Chain& chain;
};

/// A realization on its way to its state after the last committed round.
struct Restoration {
  const RealizationRow* row = nullptr;
  const Disorder* disorder = nullptr;
  ChainState state;
  std::uint32_t rounds = 0;       ///< after which `state` is
  std::uint32_t read_rounds = 0;  ///< after which it was when it was read; 0: the initial one
  std::string problem = {};       ///< of a checkpoint that cannot be used
  std::string lost = {};          ///< why the state cannot be restored

  [[nodiscard]] bool complete() const { return rounds == row->rounds; }
  /// For people, if a checkpoint could not be used: what was wrong and what was done. Empty: none.
  [[nodiscard]] std::string note(const StateSource& source) const;
};

/// Reads the newest state of a realization that can be used: that of its newest checkpoint, or of the one before; where
/// there is none, the history is to begin anew, and its state is empty as yet. Throws FileError where a file may be
/// good but cannot be read here (permissions, a newer format).
[[nodiscard]] Restoration newest_state(const StateSource& source, const RealizationRow& row, const Disorder& disorder);

/// Makes the starts of histories that begin (anew), and simulates what was committed since all those
/// states, all of them together. A state is a pure function of configuration,
/// seed and rounds, so what comes out has the digest that the database holds; where it has not, `lost` says so. A
/// newest checkpoint that could not be used is put back.
///
/// returns false if `control` asked to stop
[[nodiscard]] bool simulate_missing_rounds(const StateSource& source, std::span<Restoration> states, Backend& backend,
                                           RoundControl& control);

}}  // namespace glassworks::scheduler

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "db/database.hpp"
#include "engine/config.hpp"
#include "kernels/backend.hpp"

namespace glassworks::inline scheduler {

/// A state that was simulated again is not the one that the database holds. The message is one sentence.
class StateLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The state of a realization after its last committed round.
struct StoredState {
  ChainState state;
  std::string note;  ///< for people, if the newest checkpoint could not be used: what was wrong and what was done
};

/// Reads the state of a realization; where its checkpoint is missing or damaged, reads the generation before and
/// simulates the last round again, or, if that is gone too, all of them from the start. A state is a pure function of
/// configuration, seed and rounds, so what comes out has the digest that the database holds; this is checked, and the
/// file is put back.
///
/// returns nothing if `control` asked to stop while rounds were simulated again
/// Throws StateLost where a simulated state has another digest than the stored one, and FileError where a
/// file may be good but cannot be read here (permissions, a newer format): nothing is simulated again then.
///
/// checkpoints  directory that they are in
[[nodiscard]] std::optional<StoredState> stored_state(const std::filesystem::path& checkpoints, const Config& config,
                                                      const RealizationRow& row, const Chain& chain,
                                                      const Disorder& disorder, Backend& backend,
                                                      RoundControl& control);

/// Simulates the next `rounds` rounds of one realization.
///
/// record  that of the last of them
/// returns false if `control` asked to stop; `state` is then that after the last whole round
[[nodiscard]] bool simulate_rounds(const Chain& chain, const Disorder& disorder, std::uint32_t realization,
                                   std::uint32_t rounds, ChainState& state, RoundRecord& record, Backend& backend,
                                   RoundControl& control);

}  // namespace glassworks::inline scheduler

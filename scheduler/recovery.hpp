#pragma once

#include <optional>
#include <string>

#include "kernels/backend.hpp"
#include "scheduler/campaign.hpp"

namespace glassworks {

/// The state of a realization after its last committed round.
struct StoredState {
  ChainState state;
  std::string note;  ///< for people, if the newest checkpoint could not be used: what was wrong and what was done
};

/// Reads the state of a realization; where its checkpoint is missing or damaged, reads the generation before and
/// simulates the last round again, or, if that is gone too, all of them from the start. A state is a pure function of
/// configuration, seed and rounds, so what comes out has the digest that the database holds; this is checked.
///
/// returns nothing if `control` asked to stop while rounds were simulated again
/// Throws std::runtime_error where a simulated state has another digest than the stored one.
[[nodiscard]] std::optional<StoredState> stored_state(const Campaign& campaign, const RealizationRow& row,
                                                      const Chain& chain, const Disorder& disorder, Backend& backend,
                                                      RoundControl& control);

}  // namespace glassworks

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/reweighting/joint_samples.hpp"
#include "db/database.hpp"

namespace glassworks {

/// The joint samples of the equilibrated part of a history, slot after slot, in the order of time within a slot. Rounds
/// without samples give none.
///
/// quantities     of one sample
/// equilibration  rounds at the start that averages leave out (equilibrated_part)
/// Throws std::runtime_error where the samples of a round have another shape than its campaign says.
[[nodiscard]] JointSamples joint_samples(RealizationKey key, std::span<const RoundRow> rounds,
                                         std::span<const double> temperatures, std::size_t quantities,
                                         std::uint32_t equilibration);

}  // namespace glassworks

#pragma once

#include <cstdint>
#include <string>

#include "engine/checkpoint/checkpoint_identity.hpp"

namespace glassworks { inline namespace engine {

/// Bytes of the arrays of a state of this identity: what an archive of it holds but for its own header of less than
/// `archive_header_bytes`. Nothing if no state can have it.
[[nodiscard]] std::uint64_t state_bytes(const CheckpointIdentity& identity);
constexpr std::uint64_t archive_header_bytes = 256;

/// Why no chain can be in a state whose arrays fit its identity: "replica 3 is in slot 65535 of 5"; empty if one can.
///
/// The slots of each copy are a permutation, headings -1, 0 or +1, discrete spins below `identity.states` or absent,
/// components finite, unit vectors of length 1 but for the rounding of long runs, and the exchanges those of the
/// rounds.
[[nodiscard]] std::string impossible_value(const ChainState& state, const CheckpointIdentity& identity);

}}  // namespace glassworks::engine

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace engine {

/// Takes the compressed bytes in order, piece by piece.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Which arrays of a state an archive holds at its sites.
enum class PayloadArrays {
  spins,             ///< of format versions 1 and 2
  spins_and_states,  ///< of version 3
  with_beside,       ///< of version 4, with what a local update keeps beside the spins
  all                ///< of version 5, with the reference states of a course
};

/// Streams a state as a zstd-compressed Boost binary archive; the spins are compressed where they lie.
///
/// returns length of the archive before compression [B]
std::uint64_t write_payload(const ChainState& state, PayloadArrays arrays, const ByteSink& sink);

/// Of an archive of this length after compression, at most [B].
[[nodiscard]] std::uint64_t largest_payload(std::uint64_t archive_length);

/// Inverse of write_payload: decompresses straight into the state. Allocates no more than archive_length for it.
///
/// Throws std::runtime_error naming the reason (no sentence: the caller knows the file).
[[nodiscard]] ChainState read_payload(std::span<const std::byte> payload, PayloadArrays arrays,
                                      std::uint64_t archive_length);

}}  // namespace glassworks::engine

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace engine {

/// Spins as text, one site per line: `slot copy site s`, in the order of slots and copies. s: +-1 of ising (0: no
/// spin), -1, 0, 1 of blume-capel, the state of potts from 0, or the components of a vector with all digits of single
/// precision. `#` begins a comment.

/// What a chain is after some rounds.
///
/// temperatures  of its slots, for people [slot]
[[nodiscard]] std::string spins_text(const Chain& chain, const ChainState& state,
                                     const std::vector<double>& temperatures, std::uint32_t realization,
                                     std::uint32_t rounds);

/// The digest of a file of this form, whatever it says. Throws InputError.
[[nodiscard]] std::string spins_file_digest(const std::filesystem::path& file);

/// Puts the spins of a file into the replicas of a state, which stand in the slots of their numbers. Slots and copies
/// beyond those of the chain are passed over; every spin of the chain must be there.
///
/// digest  that the file must have; empty: any
/// Throws InputError with file and line for anything else.
void read_spins_file(const std::filesystem::path& file, const std::string& digest, const Chain& chain,
                     ChainState& state);

}}  // namespace glassworks::engine

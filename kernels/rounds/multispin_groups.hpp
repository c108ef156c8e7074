#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace rounds {

/// Realizations of one group of 128 that have made the same number of steps: they share their random words.
struct MultispinGroup {
  std::uint64_t steps = 0;
  std::uint32_t number = 0;        ///< realization / 128
  std::vector<std::size_t> tasks;  ///< of the batch
};
[[nodiscard]] std::vector<MultispinGroup> multispin_groups(std::span<const RoundTask> batch);

/// Whether a batch can lie in words: on a graph all its realizations have the same one, with few bonds at a site
/// (most_multispin_bonds), and no bond is absent. Plain code of processors and of GPUs runs others.
[[nodiscard]] bool has_words(const Chain& chain, std::span<const RoundTask> batch);

}}  // namespace glassworks::rounds

#pragma once

#include "kernels/rounds/backend.hpp"

namespace glassworks { inline namespace cpu {

// Memory of the rounds of each kind of kernels, beside disorder and states.

/// Bundles of 16 replicas, and what measurements gather of them: of heisenberg a group of 16 slots for each copy and
/// thread of a realization, of other models their sites and the disorder in rows.
[[nodiscard]] MemoryNeed lane_need(const Chain& chain, double disorder, int threads);

/// Sites, labels and sums over clusters of every replica, at worst with as many runs and clusters as sites; the
/// disorder in rows.
[[nodiscard]] MemoryNeed row_need(const Chain& chain, double disorder);

/// Groups of 128 realizations, a bit each. A batch has at least one of them.
[[nodiscard]] MemoryNeed multispin_need(const Chain& chain);

/// Words of copies, as they are and as they were before the round, a byte of couplings for each site, and the table of
/// rows.
[[nodiscard]] MemoryNeed copy_need(const Chain& chain, int threads);

}}  // namespace glassworks::cpu

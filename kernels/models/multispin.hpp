#pragma once

#include <cstdint>
#include <vector>

#include "kernels/models/spin_model.hpp"

namespace glassworks::inline models {

/// When a spin flips in a local update by multi-spin coding: where its word (multispin_word) is at least threshold[m],
/// m = 2 (unsatisfied bonds) + (absent bonds) of its z bonds, so that the flip costs 2 |J| (z - m):
///
///     metropolis   1 - threshold/2^32 = min(1, exp(-2 beta |J| (z - m)))
///     heat_bath    1 - threshold/2^32 = 1/(1 + exp(2 beta |J| (z - m)))
///
/// Falls with m. modulus: |J| of the bonds that are there; z: places of bonds of a site. Made on the host, in double.
/// returns threshold[m], m = 0 .. 2 z
[[nodiscard]] std::vector<std::uint32_t> multispin_thresholds(MultispinRule rule, float beta, float modulus, int z);

/// From one m that occurs to the next: odd ones need absent bonds.
[[nodiscard]] constexpr int multispin_step(bool diluted) { return diluted ? 1 : 2; }
/// How many thresholds decide anything, those of m = 0, multispin_step, ...: past them every spin flips (metropolis),
/// or there is no such m (heat_bath).
[[nodiscard]] constexpr int deciding_thresholds(MultispinRule rule, int z, bool diluted) {
  const int step = multispin_step(diluted);
  return rule == MultispinRule::metropolis ? z / step : 2 * z / step + 1;
}

/// |J| of all couplings that are not 0; 0 if there are none, or several.
[[nodiscard]] float single_modulus(const std::vector<float>& couplings);

}  // namespace glassworks::inline models

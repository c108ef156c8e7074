#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/core/addresses.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace models {

/// When a spin flips in a local update by multi-spin coding: where its word (multispin_word) is at least threshold[m],
/// m = 2 (unsatisfied bonds) + (absent bonds) of its z bonds, so that the flip costs 2 |J| (z - m) + 2 H s:
///
///     metropolis   1 - threshold/2^32 = min(1, exp(-beta (2 |J| (z - m) + 2 H s)))
///     heat_bath    1 - threshold/2^32 = 1/(1 + exp(beta (2 |J| (z - m) + 2 H s)))
///
/// Decreases with m. modulus: |J| of the bonds present; z: coordination number; along: H s, the field times the spin.
/// Computed on the host in double precision. returns threshold[m], m = 0 .. 2 z
[[nodiscard]] std::vector<std::uint32_t> multispin_thresholds(MultispinRule rule, float beta, float modulus, int z,
                                                              double along = 0.0);
/// Those of a spin +1, then those of a spin -1: what each needs in a field. returns threshold[bit of the spin][m]
[[nodiscard]] std::vector<std::uint32_t> multispin_thresholds_in_field(MultispinRule rule, float beta, float modulus,
                                                                       int z, float field);

/// On a graph: the place of a site among the random words of its group. Four sites that follow each other share a
/// block, whatever their colours are; the sweep is its number. z of a site is the number of its bonds.
[[nodiscard]] constexpr WordAddress graph_multispin_address(std::int64_t site) {
  return {static_cast<std::uint32_t>(site / 4), static_cast<std::uint32_t>(site % 4)};
}

/// Most bonds of a site of a graph that lies in words; plain code runs others.
constexpr int most_multispin_bonds = 16;

/// From one m that occurs to the next: odd ones need absent bonds.
[[nodiscard]] constexpr int multispin_step(bool diluted) { return diluted ? 1 : 2; }
/// Number of thresholds that matter, those of m = 0, multispin_step, ...: beyond them every spin flips (metropolis
/// without a field), or no such m occurs.
[[nodiscard]] constexpr int deciding_thresholds(MultispinRule rule, int z, bool diluted, bool in_field = false) {
  const int step = multispin_step(diluted);
  return rule == MultispinRule::metropolis && !in_field ? z / step : 2 * z / step + 1;
}

/// |J| of all couplings that are not 0, where they have one (0 if there are none), and how many are 0.
struct CouplingCount {
  std::optional<float> modulus;
  std::int64_t absent = 0;
};
[[nodiscard]] CouplingCount count_couplings(const std::vector<float>& couplings);
/// |J| of all couplings that are not 0; 0 if there are none, empty if there are several.
[[nodiscard]] std::optional<float> single_modulus(const std::vector<float>& couplings);
/// H where all fields are the same; 0 without fields; empty where they differ.
[[nodiscard]] std::optional<float> single_field(const std::vector<float>& fields);

}}  // namespace glassworks::models

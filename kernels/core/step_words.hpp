#pragma once

#include <cstdint>

#include "kernels/core/random.hpp"

namespace glassworks { inline namespace core {

/// Words 0 and 2 of the random blocks of some cells of one replica, for many sweeps: the same as `random_block` gives.
/// Of the first three rounds of Philox all but one multiplication does not depend on the sweep and is made once. That
/// leaves 15 multiplications of 20 for each block, at the cost of four registers.
template <int cells>
class StepWords {
 public:
  /// Takes a replica. sweep: any one whose high word is that of the sweeps to come; cell(k): number of cell k
  template <class CellOf>
  GLASSWORKS_HD void begin(const PhiloxRoundKeys& key, Stream stream, std::uint32_t realization, std::uint32_t replica,
                           std::uint64_t sweep, const CellOf& cell) {
    const std::uint32_t word3 = counter_word3(stream, replica, sweep);
    std::uint32_t low_of_realization;
    mul_hi_lo(realization, philox_multiplier1, realization_, low_of_realization);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      std::uint32_t high_of_cell, high, first;
      mul_hi_lo(cell(k), philox_multiplier0, high_of_cell, cell_[k].round1);
      mul_hi_lo(high_of_cell ^ word3 ^ key.k1[0], philox_multiplier1, high, cell_[k].round2);
      first = high ^ low_of_realization ^ key.k0[1];
      mul_hi_lo(first, philox_multiplier0, cell_[k].round3_high, cell_[k].round3_low);
    }
  }
  /// sweep: its low word; words: [2 k + i], word 2 i of cell k
  GLASSWORKS_HD void draw(const PhiloxRoundKeys& key, std::uint32_t sweep, std::uint32_t (&words)[2 * cells]) const {
    std::uint32_t high, low;  // of the second round, the same for all cells
    mul_hi_lo(realization_ ^ sweep ^ key.k0[0], philox_multiplier0, high, low);
    GLASSWORKS_UNROLL
    for (int k = 0; k < cells; ++k) {
      const OfCell& cell = cell_[k];
      std::uint32_t high3, low3;
      mul_hi_lo(high ^ cell.round1 ^ key.k1[1], philox_multiplier1, high3, low3);
      std::uint32_t counter[4] = {high3 ^ cell.round2 ^ key.k0[2], low3, cell.round3_high ^ low ^ key.k1[2],
                                  cell.round3_low};
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (int round = 3; round < 10; ++round) philox_round(counter, key.k0[round], key.k1[round]);
      words[2 * k] = counter[0];
      words[2 * k + 1] = counter[2];
    }
  }

 private:
  /// Products of the rounds, as far as the sweep does not change them.
  struct OfCell {
    std::uint32_t round1, round2, round3_high, round3_low;
  };
  OfCell cell_[cells];
  std::uint32_t realization_;
};

}}  // namespace glassworks::core

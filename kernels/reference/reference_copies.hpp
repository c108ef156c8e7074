#pragma once

#include <cstdint>

#include "kernels/core/addresses.hpp"
#include "kernels/models/copy_levels.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace reference {

/// The random numbers of one copy at one site in a half-sweep of multi-spin coding whose lanes are copies, by their
/// plain definition: CopyLevels and CopyAddress.
class ReferenceCopy {
 public:
  ReferenceCopy(const Chain& chain, std::uint32_t realization, std::uint32_t copy, std::uint32_t slot,
                std::uint64_t half_sweep, const Lattice::Coordinates& site)
      : chain_(chain),
        realization_(realization),
        replica_(copy / CopyAddress::group * static_cast<std::uint32_t>(chain.slots()) + slot),
        copy_(copy % CopyAddress::group),
        sweep_(half_sweep),
        quad_(multispin_address(chain.lattice, site)) {}

  /// The spin from which a heat bath starts, as a state.
  [[nodiscard]] std::uint8_t spin() const { return bit(CopyAddress::spins(quad_.word)) ? 0 : 1; }

  [[nodiscard]] int level(const CopyLevels& levels) const {
    return levels.marks ? level_by_marks(levels) : level_by_digits(levels);
  }

 private:
  [[nodiscard]] RandomBlock block(std::uint32_t part) const {
    return random_block(chain_.key, Stream::multispin, realization_, replica_, sweep_,
                        part * multispin_blocks(chain_.lattice) + quad_.block);
  }
  [[nodiscard]] bool bit(std::uint32_t part) const { return (block(part).word[copy_ / 32] >> (copy_ % 32) & 1U) != 0; }

  [[nodiscard]] int level_by_marks(const CopyLevels& levels) const {
    const std::uint32_t place = CopyAddress::group * quad_.word + copy_;
    const RandomBlock numbers = block(0);
    int level = 0;
    for (int m = 0; m < levels.more_count && numbers.word[0] >= levels.more[m]; ++m) {
      const CopyAddress at = CopyAddress::of_mark(static_cast<std::uint32_t>(m));
      if ((block(at.part).word[at.word] >> at.shift) % CopyAddress::places == place) level = 1;
    }
    for (int m = 0; m < levels.more_higher_count && numbers.word[1] >= levels.more_higher[m]; ++m) {
      const RandomBlock mark = block(CopyAddress::higher_mark(static_cast<std::uint32_t>(m)));
      if (mark.word[0] >> 23 != place) continue;
      int here = 2;
      while (here < levels.levels && mark.word[1] < levels.higher[here]) ++here;
      if (here > level) level = here;
    }
    return level;
  }

  [[nodiscard]] int level_by_digits(const CopyLevels& levels) const {
    std::uint32_t number = 0;
    for (std::uint32_t digit = 0; digit < CopyAddress::digits; ++digit) {
      number = 2 * number + (bit(CopyAddress::digit(digit, quad_.word)) ? 1U : 0U);
    }
    int level = 0;
    while (level < levels.levels && number < levels.probability[level]) ++level;
    return level;
  }

  const Chain& chain_;
  std::uint32_t realization_, replica_, copy_;
  std::uint64_t sweep_;
  WordAddress quad_;
};

}}  // namespace glassworks::reference

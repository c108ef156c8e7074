#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/rows/run_kernels.hpp"

namespace glassworks { inline namespace cpu {

/// New states of clusters.
template <class Wide>
struct MoveKernels {
  using R = RunKernels<Wide>;

  static void coins(const RandomSource& random, std::uint32_t* bits, std::int64_t begin, std::int64_t end) {
    alignas(64) std::uint32_t word[4][16];
    for (std::int64_t block = begin; block < end; block += 16) {
      const int count = end - block < 16 ? static_cast<int>(end - block) : 16;
      philox(random, block, word);
      for (int i = 0; i < 4 * count; ++i) bits[4 * block + i] = word[i % 4][i / 4];
    }
  }

  static void new_states(const RandomSource& random, std::uint32_t q, std::uint8_t* states, std::int64_t begin,
                         std::int64_t end) {
    alignas(64) std::uint32_t word[4][16];
    for (std::int64_t block = begin; block < end; block += 16) {
      const int count = end - block < 16 ? static_cast<int>(end - block) : 16;
      philox(random, block, word);
      for (int i = 0; i < 4 * count; ++i) {
        states[4 * block + i] = static_cast<std::uint8_t>(uniform_below(word[i % 4][i / 4], q));
      }
    }
  }

  static void fates_by_coin(const ClusterGeometry& g, const Runs& runs, const std::uint32_t* coins, std::int64_t begin,
                            std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (int w = 0; w < g.words; ++w) {
        const std::int64_t word = row * g.words + w, site = row * g.L + 64 * w;
        const std::uint32_t* c = coins + site / 32;
        const std::uint64_t low = c[0] | static_cast<std::uint64_t>(c[1]) << 32, high = c[2];
        const auto shift = static_cast<int>(site % 32);
        const std::uint64_t own = shift == 0 ? low : low >> shift | high << (64 - shift);
        const std::uint64_t starts = runs.starts[word];
        Wide::to_bytes(Wide::gather(own, starts), static_cast<int>(R::popcount(starts)), runs.fate + runs.before[word]);
      }
    }
  }

  static void fates_by_state(const ClusterGeometry& g, const Runs& runs, const std::uint8_t* new_states,
                             std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (int w = 0; w < g.words; ++w) {
        std::uint8_t* fate = runs.fate + runs.before[row * g.words + w];
        const std::uint8_t* own = new_states + row * g.L + 64 * w;
        for (std::uint64_t starts = runs.starts[row * g.words + w]; starts != 0; starts &= starts - 1) {
          *fate++ = own[R::lowest(starts)];
        }
      }
    }
  }

  static std::uint64_t flip(const ClusterGeometry& g, const Runs& runs, std::uint8_t* states, std::int64_t begin,
                            std::int64_t end) {
    std::uint64_t moved = 0;
    for (std::int64_t row = begin; row < end; ++row) {
      std::uint64_t carry = 0;
      for (int w = 0; w < g.words; ++w) {
        const std::uint64_t mask = moving(g, runs, row, w, carry);
        moved += R::popcount(mask);
        std::uint8_t* s = states + row * g.L + 64 * w;
        if (64 * w + 64 <= g.L) {
          Wide::flip(s, mask);
        } else {
          for (int i = 0; i < g.L - 64 * w; ++i) s[i] = static_cast<std::uint8_t>(s[i] ^ ((mask >> i) & 1U));
        }
      }
    }
    return moved;
  }

  static std::uint64_t reflect(const ClusterGeometry& g, const Runs& runs, const SpinArrays& a, const float* direction,
                               const float* projection, std::int64_t begin, std::int64_t end) {
    const int n = components_of(a.model);
    std::uint64_t moved = 0;
    alignas(64) std::uint32_t moves[64];  // as wide as a float: sixteen are one vector
    for (std::int64_t row = begin; row < end; ++row) {
      std::uint64_t carry = 0;
      for (int w = 0; w < g.words; ++w) {
        const std::uint64_t mask = moving(g, runs, row, w, carry);
        moved += R::popcount(mask);
        const int count = g.L - 64 * w < 64 ? g.L - 64 * w : 64;
        for (int i = 0; i < count; ++i) moves[i] = static_cast<std::uint32_t>(mask >> i) & 1U;
        const float* __restrict p = projection + row * g.L + 64 * w;
        for (int k = 0; k < n; ++k) {
          const float along = direction[k];
          float* __restrict s = a.spins + k * a.stride + row * g.L + 64 * w;
          const auto reflect_one = [&](int i) {
            const float reflected = exact::fnma(exact::add(p[i], p[i]), along, s[i]);
            s[i] = moves[i] != 0 ? reflected : s[i];
          };
          int i = 0;
          for (; i + 16 <= count; i += 16) {
            for (int lane = 0; lane < 16; ++lane) reflect_one(i + lane);
          }
          for (; i + 8 <= count; i += 8) {  // a row of L = 8
            for (int lane = 0; lane < 8; ++lane) reflect_one(i + lane);
          }
          for (; i < count; ++i) reflect_one(i);
        }
      }
    }
    return moved;
  }

  static std::uint64_t recolour(const ClusterGeometry& g, const Runs& runs, std::uint8_t* states, std::int64_t begin,
                                std::int64_t end) {
    std::uint64_t moved = 0;
    for (std::int64_t row = begin; row < end; ++row) {
      const std::uint8_t* fate = runs.fate + runs.before[row * g.words] - 1;  // of the run of the site before
      std::uint8_t* s = states + row * g.L;
      for (int w = 0; w < g.words; ++w) {
        const int first = 64 * w, count = g.L - first < 64 ? g.L - first : 64;
        std::uint64_t starts = runs.starts[row * g.words + w];
        for (int i = 0; i < count; ++i, starts >>= 1) {
          fate += starts & 1U;
          const std::uint8_t old = s[first + i], next = *fate == Potts::stays ? old : *fate;
          moved += next != old ? 1U : 0U;
          s[first + i] = next;
        }
      }
    }
    return moved;
  }

 private:
  static void philox(const RandomSource& random, std::int64_t first, std::uint32_t out[4][16]) {
    const std::uint32_t rest[3] = {random.word1, random.word2, random.word3};
    Wide::philox(random.key, static_cast<std::uint32_t>(first), rest, out);
  }

  /// Sites of a word of a row that move. Changes of fate from run to run are set at their first sites; the running
  /// parity of these bits is the fate of every site. carry: fate of the last run before the word.
  GLASSWORKS_HD static std::uint64_t moving(const ClusterGeometry& g, const Runs& runs, std::int64_t row, int w,
                                            std::uint64_t& carry) {
    const std::int64_t word = row * g.words + w;
    const std::uint64_t starts = runs.starts[word];
    const int count = static_cast<int>(R::popcount(starts));
    const std::uint64_t fates = Wide::to_bits(runs.fate + runs.before[word]);
    std::uint64_t mask = Wide::scatter(fates ^ (fates << 1 | carry), starts);
    for (int shift = 1; shift < 64; shift *= 2) mask ^= mask << shift;
    if (carry != 0) mask = ~mask;
    if (count > 0) carry = (fates >> (count - 1)) & 1U;
    const int sites = g.L - 64 * w;
    return sites < 64 ? mask & ((std::uint64_t{1} << sites) - 1) : mask;
  }
};

}}  // namespace glassworks::cpu

#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/core/bit_sums.hpp"
#include "kernels/cpu/multispin/copy_bits.hpp"
#include "kernels/cpu/multispin/copy_table.hpp"
#include "kernels/cpu/multispin/lane_words.hpp"

namespace glassworks { inline namespace cpu {

/// Half-sweeps of words of copies. A chunk of pairs of rows draws its random bits first (CopyBits), then its rows flip.
///
/// Wide: see MultispinKernels; words: of a site. Cost per site of 512 copies at T = 0.7 in three dimensions: one Philox
/// block and 1.7 marks for every 128 copies, 13 loads, a store and about 25 operations on vectors of 512 bits.
template <class Wide, int words>
struct CopyKernels {
  static constexpr int column = words < Wide::vector_words ? words : Wide::vector_words;  ///< words of a vector
  using V = typename LaneWords<column>::Vector;
  using Sums = BitSums<V, Wide>;
  using Bits = CopyBits<Wide, words>;

  static V load(const std::uint32_t* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static void store(std::uint32_t* to, const V& v) { __builtin_memcpy(to, &v, sizeof v); }

  /// All bits of word b set where bit b of a byte is, for each byte.
  struct Masks {
    std::uint32_t of[256][8] = {};
    constexpr Masks() {
      for (unsigned byte = 0; byte < 256; ++byte) {
        for (unsigned b = 0; b < 8; ++b) of[byte][b] = (byte >> b & 1U) != 0 ? ~0U : 0U;
      }
    }
  };
  static constexpr Masks masks{};

  static V unsatisfied(const V& s, const std::uint32_t* neighbour, std::uint32_t negative) {
    const V n = load(neighbour), J = V{} + negative;
    if constexpr (requires { Wide::parity(s, n, J); }) {
      return Wide::parity(s, n, J);
    } else {
      return s ^ n ^ J;
    }
  }

  /// Flips the spins of a row. bits: those of the row's pair in a column
  template <int z, bool drawn>
  static void flip_row(const CopyHalfSweep& job, std::int64_t row, int w, const Bits& bits, std::int64_t first_site) {
    constexpr int d = z / 2;
    const CopyGeometry& g = *job.geometry;
    const int half = g.L / 2, first = (g.row_parity[row] + job.colour) & 1;
    const std::int64_t length = std::int64_t{half} * words;
    std::uint32_t* const own = job.own + row * length + w;
    const std::uint32_t* const same = job.other + row * length + w;
    const std::uint32_t* rows[z] = {same, same};
#pragma GCC unroll 8
    for (int b = 2; b < z; ++b) rows[b] = job.other + g.row_neighbour[row * (z - 2) + b - 2] * length + w;
    const std::uint8_t* const negative = job.negative + row * half;
    const std::uint32_t* random = bits.planes + (first_site + first) * words + w;
    const std::int64_t plane = bits.plane_words;
    for (int j = 0; j < half; ++j, random += 2 * words) {
      // Sites at 2 j have their neighbours along x in places j and j - 1, those at 2 j + 1 in j + 1 and j.
      const int forward = first == 0 ? j : (j + 1 == half ? 0 : j + 1);
      const int backward = first != 0 ? j : (j == 0 ? half - 1 : j - 1);
      const std::uint32_t* const J = masks.of[negative[j]];
      const std::int64_t at = std::int64_t{j} * words;
      __builtin_prefetch(own + at + length, 1);
      __builtin_prefetch(rows[2] + at + length);
      __builtin_prefetch(rows[z - 2] + at + length);
      const V s = load(drawn ? random + CopyLevels::most_levels * plane : own + at);
      V x[z];
      x[0] = unsatisfied(s, same + std::int64_t{forward} * words, J[0]);
      x[1] = unsatisfied(s, same + std::int64_t{backward} * words, J[1]);
#pragma GCC unroll 8
      for (int b = 2; b < z; ++b) x[b] = unsatisfied(s, rows[b] + at, J[b]);
      V holds[d], passed[Sums::template half_word_count<z>];
#pragma GCC unroll 4
      for (int k = 0; k < d; ++k) holds[d - 1 - k] = load(random + k * plane);
      Sums::template half_words<z>(holds, passed);
      store(own + at, s ^ Sums::reaches_half(x, passed));
    }
  }

  template <int z>
  static void half_sweep_of(const CopyHalfSweep& job) {
    const CopyGeometry& g = *job.geometry;
    const std::int64_t layer = g.pairs_of_layer();
    const int at_once = Bits::pairs_at_once(g.L);
    Bits bits(job);
    for (std::int64_t begin = job.begin; begin < job.end; begin += at_once) {
      const std::int64_t end = begin + at_once < job.end ? begin + at_once : job.end;
      bits.draw(static_cast<std::uint32_t>(begin * g.quads()), static_cast<int>(end - begin) * g.quads());
      for (std::int64_t pair = begin; pair < end; ++pair) {
        const std::int64_t row = pair / layer * 2 * layer + pair % layer, site = (pair - begin) * g.quads() * 4;
        for (int w = 0; w < words; w += column) {
          for (const std::int64_t r : {row, row + layer}) {
            if (job.rule == MultispinRule::heat_bath) {
              flip_row<z, true>(job, r, w, bits, site);
            } else {
              flip_row<z, false>(job, r, w, bits, site);
            }
          }
        }
      }
    }
  }

  static void half_sweep(const CopyHalfSweep& job) {
    switch (job.geometry->dim) {
      case 2:
        return half_sweep_of<4>(job);
      case 3:
        return half_sweep_of<6>(job);
      default:
        return half_sweep_of<8>(job);
    }
  }

  static constexpr CopyTable table{words, half_sweep, Bits::scratch_words};
};

/// The tables of one instruction set.
template <class Wide>
constexpr CopyTable copy_tables[3] = {CopyKernels<Wide, 4>::table, CopyKernels<Wide, 8>::table,
                                      CopyKernels<Wide, 16>::table};

}}  // namespace glassworks::cpu

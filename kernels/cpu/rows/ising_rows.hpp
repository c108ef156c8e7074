#pragma once

#include <bit>

#include "kernels/cpu/rows/row_block.hpp"

namespace glassworks { inline namespace cpu {

/// Local sweeps of ising where bonds are counted (CountedWeights): eight sites of a row at a time, as bytes of a word.
/// d >= 2.
template <class Wide>
struct IsingRows {
  static_assert(std::endian::native == std::endian::little, "the first site of a word is its lowest byte");

  static void local_sweep(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                          std::int64_t end) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    RowBlocks<Wide>::for_cells(g, parity, begin, end, [&](const RowBlock* member, std::int64_t first) {
      alignas(64) std::uint32_t word[4][16];
      Wide::philox(job.random.key, static_cast<std::uint32_t>(first), rest, word);
      for (int i = 0; i < 2; ++i) {
        for_pieces(member[i], [&](auto pieces) {
          if (job.counted->negative != nullptr) {
            update<true>(g, job, member[i], pieces, word[2 * i]);
          } else {
            update<false>(g, job, member[i], pieces, word[2 * i]);
          }
        });
      }
    });
  }

 private:
  using Access = exact::Lanes<typename Wide::Float>;
  using U = exact::Bits<typename Wide::Float>;
  static constexpr int spare = 8;

  template <bool with_negative, class Pieces>
  static void update(const ClusterGeometry& g, const LocalSweepJob& job, const RowBlock& block, Pieces pieces,
                     const std::uint32_t word[16]) {
    const int of_each = block.of_each;
    alignas(64) std::uint8_t bytes[spare + 32 + spare] = {};
    for (int i = 0; i < pieces; ++i) {
      // The sites of the block are those at even places of `bytes`.
      std::uint8_t* const piece = bytes + spare + 2 * of_each * i - block.shift(i);
      count_up<with_negative>(g, job, block.row(i), block.first_x, 2 * of_each, piece);
    }
    alignas(64) std::uint32_t up[16], state[16];
    Wide::every_second(bytes + spare, 16, up);
    const U dim(static_cast<std::uint32_t>(g.dim));
    for (int lane = 0; lane < 16; lane += Access::width) {
      const U wanted_up = Access::load(up + lane), number = shift_right<9>(Access::load(word + lane));
      const U follows = shift_right<31>(number - pick(job.counted->alike, wanted_up));
      const U field_is_down = shift_right<31>(wanted_up - dim);
      Access::store(state + lane, follows ^ field_is_down);
    }
    for (int i = 0; i < pieces; ++i) {
      Wide::put_every_second(state + i * of_each, of_each, job.states + block.row(i) * g.L + block.x(i));
    }
  }

  static std::uint64_t load(const std::uint8_t* from) {
    std::uint64_t eight;
    __builtin_memcpy(&eight, from, 8);
    return eight;
  }

  /// up[i]: bonds that want site x + i of a row to be up; x even, i < count, and up to seven more that mean nothing.
  template <bool with_negative>
  static void count_up(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, int x, int count,
                       std::uint8_t* up) {
    const std::int64_t first = row * g.L;
    const std::uint8_t* const here = job.states + first;
    const std::uint8_t* const negative = job.counted->negative;
    const auto wants_down = [&](int axis, std::int64_t site) {
      return with_negative ? load(negative + axis * job.stride + site) : 0;
    };
    const int before = (x == 0 ? g.L : x) - 1;
    std::uint64_t left = here[before] ^ (with_negative ? negative[first + before] : 0U);
    for (int done = 0; done < count; done += 8, x += 8) {
      const std::uint64_t own = load(here + x), along = wants_down(0, first + x), satisfied_up = own ^ along;
      std::uint64_t right = own >> 8;
      if (const int last = g.L - 1 - x; last < 8) {
        right = (right & ~(std::uint64_t{0xFF} << 8 * last)) | std::uint64_t{here[0]} << 8 * last;
      } else {
        right |= std::uint64_t{here[x + 8]} << 56;
      }
      std::uint64_t sum = (right ^ along) + (satisfied_up << 8 | left);
      left = satisfied_up >> 56;
      for (int axis = 1; axis < g.dim; ++axis) {
        const std::int64_t of_axis = (axis - 1) * g.rows + row;
        const std::int64_t ahead = g.forward[of_axis] * std::int64_t{g.L} + x,
                           behind = g.backward[of_axis] * std::int64_t{g.L} + x;
        sum += load(job.states + ahead) ^ wants_down(axis, first + x);
        sum += load(job.states + behind) ^ wants_down(axis, behind);
      }
      __builtin_memcpy(up + done, &sum, 8);
    }
  }
};

}}  // namespace glassworks::cpu

#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/cpu/multispin/copy_table.hpp"
#include "kernels/cpu/multispin/lane_words.hpp"

namespace glassworks { inline namespace cpu {

/// The random bits of some quads that follow each other: for each level k = 1 .. d a plane of bits, set where the level
/// of a copy at a site is at least k (CopyLevels), and a plane of spins for heat baths. Quads come by sixteen, as many
/// Philox blocks are made at once.
///
/// Wide: see MultispinKernels; words: of a site
template <class Wide, int words>
class CopyBits {
  using Sixteen = LaneWords<16>::Vector;
  static constexpr int batch = 16, sites_of_quad = 4, words_of_group = 4;
  static constexpr int quad_words = sites_of_quad * words;

 public:
  std::uint32_t* const planes;  ///< [level - 1, or most_levels for spins][quad][site][word]
  const std::int64_t plane_words;

  explicit CopyBits(const CopyHalfSweep& job)
      : planes(job.scratch), plane_words(words_of_plane(job.geometry->L)), job_(job), levels_(*job.levels) {
    if (levels_.marks) clear(0, levels_.levels, plane_words - copy_gap);
  }

  /// Pairs of rows whose random bits are drawn together: few enough for the first cache, with few quads that are drawn
  /// for nothing.
  static int pairs_at_once(int L) {
    const int quads = (L + 3) / 4;
    int best = 1;
    for (int n = 1; n * quads <= 4 * batch; ++n) {
      if (batches(n * quads) * best < batches(best * quads) * n) best = n;
    }
    return best;
  }
  static std::int64_t scratch_words(int L) { return (CopyLevels::most_levels + 1) * words_of_plane(L); }

  /// quads: beginning with number `first` of the half-sweep
  void draw(std::uint32_t first, int quads) {
    const int all = batches(quads);
    if (levels_.marks) clear(0, dirty_ ? levels_.levels : 1, std::int64_t{all} * batch * quad_words);
    dirty_ = false;
    for (int b = 0; b < all; ++b) {
      for (int g = 0; g < job_.groups; ++g) {
        first_ = first + static_cast<std::uint32_t>(b * batch);
        group_ = g;
        to_ = planes + std::int64_t{b} * batch * quad_words + g * words_of_group;
        if (levels_.marks) {
          add_marks();
        } else {
          for (std::uint32_t site = 0; site < sites_of_quad; ++site) add_digits(site);
        }
        if (job_.rule == MultispinRule::heat_bath) {
          for (std::uint32_t site = 0; site < sites_of_quad; ++site) add_spins(site);
        }
      }
    }
  }

 private:
  static constexpr int batches(int quads) { return (quads + batch - 1) / batch; }
  static std::int64_t words_of_plane(int L) {
    return std::int64_t{batches(pairs_at_once(L) * ((L + 3) / 4))} * batch * quad_words + copy_gap;
  }
  static Sixteen load(const std::uint32_t* from) {
    Sixteen v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static bool any(const Sixteen& v) {
    std::uint64_t half[8], bits = 0;
    __builtin_memcpy(half, &v, sizeof v);
    for (const std::uint64_t h : half) bits |= h;
    return bits != 0;
  }
  void clear(int level, int end, std::int64_t count) const {
    for (; level < end; ++level) __builtin_memset(planes + level * plane_words, 0, static_cast<std::size_t>(count) * 4);
  }
  /// Blocks of a part of sixteen quads, made[word][quad].
  void make(std::uint32_t part, std::uint32_t (&made)[4][batch]) const {
    Wide::philox({job_.key[0], job_.key[1]}, part * job_.blocks + first_, job_.rest[group_], made);
  }

  /// Bits of a plane from the place of a quad in its batch and a place of nine bits.
  static std::uint32_t bit_of(std::uint32_t quad, std::uint32_t place) {
    return 32 * quad_words * quad + place / CopyAddress::group * (32 * words) + place % CopyAddress::group;
  }
  static void set(std::uint32_t* plane, std::uint32_t bit) { plane[bit / 32] |= 1U << bit % 32; }

  /// Appends the bits of marks for the quads with number >= least. returns how many there are
  static int select(const std::uint32_t* number, std::uint32_t least, const std::uint32_t* word, std::uint32_t shift,
                    std::uint32_t* list) {
    Sixteen quad;
    for (std::uint32_t i = 0; i < batch; ++i) quad[i] = i;
    const Sixteen place = (load(word) >> shift) & (CopyAddress::places - 1U);
    const Sixteen bit = quad * (32U * quad_words) + ((place >> 7U) * (32U * words)) + (place & 127U);
    if constexpr (requires { Wide::append_where_at_least(number, least, bit, list); }) {
      return Wide::append_where_at_least(number, least, bit, list);
    } else {
      std::uint32_t bits[batch];
      __builtin_memcpy(bits, &bit, sizeof bits);
      int count = 0;
      for (int i = 0; i < batch; ++i) {
        list[count] = bits[i];
        count += number[i] >= least ? 1 : 0;
      }
      return count;
    }
  }

  void add_marks() {
    std::uint32_t numbers[4][batch], later[4][batch], list[batch * CopyLevels::most_marks + batch];
    make(0, numbers);
    int count = 0;
    for (int m = 0; m < levels_.more_count; ++m) {
      const CopyAddress at = CopyAddress::of_mark(static_cast<std::uint32_t>(m));
      if (at.part > 0 && at.word == 0 && at.shift == 23) {
        if (!reaches(numbers[0], levels_.more[m])) break;
        make(at.part, later);
      }
      const int added =
          select(numbers[0], levels_.more[m], at.part == 0 ? numbers[at.word] : later[at.word], at.shift, list + count);
      if (added == 0) break;
      count += added;
    }
    for (int i = 0; i < count; ++i) set(to_, list[i]);
    for (int m = 0; m < levels_.more_higher_count && reaches(numbers[1], levels_.more_higher[m]); ++m) {
      make(CopyAddress::higher_mark(static_cast<std::uint32_t>(m)), later);
      for (std::uint32_t quad = 0; quad < batch; ++quad) {
        if (numbers[1][quad] < levels_.more_higher[m]) continue;
        const std::uint32_t bit = bit_of(quad, later[0][quad] >> 23);
        set(to_, bit);
        set(to_ + plane_words, bit);
        for (int k = 2; k < levels_.levels && later[1][quad] < levels_.higher[k]; ++k) set(to_ + k * plane_words, bit);
      }
      dirty_ = true;
    }
  }
  /// Whether a number is at least `least`.
  static bool reaches(const std::uint32_t* number, std::uint32_t least) {
    return any(reinterpret_cast<Sixteen>(load(number) >= least));
  }

  /// Of a site of sixteen quads: U < P_k digit by digit, until that is decided everywhere.
  void add_digits(std::uint32_t site) {
    Sixteen below[CopyLevels::most_levels][4] = {}, equal[CopyLevels::most_levels][4];
    for (int k = 0; k < levels_.levels; ++k) {
      for (Sixteen& e : equal[k]) e = ~Sixteen{};
    }
    bool open = true;
    for (std::uint32_t digit = 0; digit < CopyAddress::digits && open; ++digit) {
      std::uint32_t made[4][batch];
      make(CopyAddress::digit(digit, site), made);
      Sixteen undecided{};
      for (int k = 0; k < levels_.levels; ++k) {
        const bool one = (levels_.probability[k] >> (31 - digit) & 1U) != 0;
        for (int w = 0; w < 4; ++w) {
          const Sixteen u = load(made[w]);
          if (one) below[k][w] |= equal[k][w] & ~u;
          equal[k][w] &= one ? u : ~u;
          undecided |= equal[k][w];
        }
      }
      open = any(undecided);
    }
    for (int k = 0; k < levels_.levels; ++k) put(below[k], site, k);
  }

  void add_spins(std::uint32_t site) {
    std::uint32_t made[4][batch];
    make(CopyAddress::spins(site), made);
    const Sixteen all[4] = {load(made[0]), load(made[1]), load(made[2]), load(made[3])};
    put(all, site, CopyLevels::most_levels);
  }

  /// Stores words[word of the group][quad] of a site.
  void put(const Sixteen (&of_word)[4], std::uint32_t site, int plane) const {
    // Words of a quad side by side: quads 0, 4, 8, 12 of the first vector, then 1, 5, 9, 13, ...
    const auto pair = [](const Sixteen& x, const Sixteen& y, bool high) {
      return high ? __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
                  : __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    };
    std::uint32_t* const to = to_ + plane * plane_words + site * words;
    for (int high = 0; high < 2; ++high) {
      const Sixteen a = pair(of_word[0], of_word[1], high != 0), b = pair(of_word[2], of_word[3], high != 0);
      const Sixteen even = __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      const Sixteen odd = __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
      for (int quarter = 0; quarter < 4; ++quarter) {
        std::uint32_t* const quad = to + (4 * quarter + 2 * high) * quad_words;
        __builtin_memcpy(quad, reinterpret_cast<const char*>(&even) + 16 * quarter, 16);
        __builtin_memcpy(quad + quad_words, reinterpret_cast<const char*>(&odd) + 16 * quarter, 16);
      }
    }
  }

  const CopyHalfSweep& job_;
  const CopyLevels& levels_;
  bool dirty_ = false;  ///< planes of higher levels
  std::uint32_t first_ = 0;
  int group_ = 0;
  std::uint32_t* to_ = nullptr;
};

}}  // namespace glassworks::cpu

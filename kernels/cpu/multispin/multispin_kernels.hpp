#pragma once

#include "kernels/core/addresses.hpp"
#include "kernels/core/bit_sums.hpp"
#include "kernels/cpu/multispin/graph_words.hpp"
#include "kernels/cpu/multispin/lane_words.hpp"
#include "kernels/cpu/multispin/multispin_table.hpp"
#include "kernels/cpu/multispin/swap_kernels.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cpu {

/// The loops work on vectors of as many words as the instruction set has, column by column of a bundle: a wider vector
/// would be taken apart by the compiler, element by element where an operation is missing.
///
/// Wide: Philox blocks, sixteen at once (cpu/rows/wide_*.hpp); words: of a bundle.
template <class Wide, int words>
struct MultispinKernels {
  static constexpr int column = words < Wide::vector_words ? words : Wide::vector_words;  ///< words of a vector
  using V = typename LaneWords<column>::Vector;
  using Signed = typename LaneWords<column>::SignedVector;
  using Sixteen = LaneWords<16>::Vector;
  using Sums = BitSums<V, Wide>;
  static constexpr int groups = words / 4, groups_of_column = column / 4, stride_words = words;

  template <class T = V>
  static T load(const std::uint32_t* from) {
    T v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  static void store(std::uint32_t* to, const V& v) { __builtin_memcpy(to, &v, sizeof v); }
  static V load_if(const std::uint32_t* from, std::int64_t place) {
    return from == nullptr ? V{} : load(from + place * words);
  }

  static void random(const std::uint32_t key[2], const std::uint32_t rest[][3], std::uint32_t blocks,
                     std::uint32_t* out) {
    for (std::uint32_t first = 0; first < blocks; first += 16) {
      std::uint32_t made[groups][4][16];
      for (int g = 0; g < groups; ++g) Wide::philox({key[0], key[1]}, first, rest[g], made[g]);
      for (int word = 0; word < 4; ++word, out += 16 * groups) {
        const auto of = [&](int g) { return load<Sixteen>(made[g][word]); };
        const auto put = [&](int n, const Sixteen& v) { __builtin_memcpy(out + 16 * n, &v, sizeof v); };
        // The order of MultispinGeometry::random_word; for four groups it takes the fewest shuffles.
        if constexpr (groups == 1) {
          const Sixteen x = of(0);
          put(0, __builtin_shufflevector(x, x, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
        } else if constexpr (groups == 2) {
          const Sixteen x = of(0), y = of(1);
          put(0, __builtin_shufflevector(x, y, 0, 16, 4, 20, 8, 24, 12, 28, 1, 17, 5, 21, 9, 25, 13, 29));
          put(1, __builtin_shufflevector(x, y, 2, 18, 6, 22, 10, 26, 14, 30, 3, 19, 7, 23, 11, 27, 15, 31));
        } else {
          const auto low = [](const Sixteen& x, const Sixteen& y) {
            return __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
          };
          const auto high = [](const Sixteen& x, const Sixteen& y) {
            return __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
          };
          const auto low_pairs = [](const Sixteen& x, const Sixteen& y) {
            return __builtin_shufflevector(x, y, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
          };
          const auto high_pairs = [](const Sixteen& x, const Sixteen& y) {
            return __builtin_shufflevector(x, y, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
          };
          const Sixteen a = low(of(0), of(1)), b = high(of(0), of(1)), c = low(of(2), of(3)), d = high(of(2), of(3));
          put(0, low_pairs(a, c));
          put(1, high_pairs(a, c));
          put(2, low_pairs(b, d));
          put(3, high_pairs(b, d));
        }
      }
    }
  }

  /// Counts lanes of many words: by a small number, which is added to a large one before it overflows.
  struct Counter {
    static constexpr int small_bits = 6, large_bits = 30;
    typename Sums::template Number<small_bits> small;
    V large[large_bits] = {};
    int used = large_bits, added = 0;

    explicit Counter(std::int64_t most) {
      used = 1;
      while ((std::int64_t{1} << used) <= most) ++used;
    }
    void add(const V& x) { add(typename Sums::template Number<1>{{x}}, 1); }
    /// Adds numbers that are at most `most`.
    template <int bits>
    void add(const typename Sums::template Number<bits>& x, int most) {
      if (added + most >= 1 << small_bits) flush();
      small.add(x);
      added += most;
    }
    void flush() {
      V carry{};
      for (int k = 0; k < used; ++k) {
        const V x = k < small_bits ? small.bit[k] : V{}, sum = large[k] ^ x;
        const V next = Sums::majority(large[k], x, carry);
        large[k] = sum ^ carry;
        carry = next;
      }
      small = {};
      added = 0;
    }
    /// count[lane of a word][word]
    void read(std::uint32_t* count) {
      flush();
      for (unsigned lane = 0; lane < 32; ++lane) {
        V sum{};
        for (int k = 0; k < used; ++k) sum |= ((large[k] >> lane) & 1U) << static_cast<unsigned>(k);
        store(count + lane * words, sum);
      }
    }
  };

  /// The random words of a site, of each lane's group.
  static V spread(const std::uint32_t* of_groups) {
    if constexpr (requires { Wide::template each_four_times<V>(of_groups); }) {
      return Wide::template each_four_times<V>(of_groups);
    } else {
      V v{};
      for (int g = 0; g < groups_of_column; ++g) v |= only_group(g) & (V{} + of_groups[g]);
      return v;
    }
  }
  static constexpr V only_group(int g) {
    V mask{};
    for (int w = 4 * g; w < 4 * g + 4; ++w) mask[w] = ~0U;
    return mask;
  }
  /// Turns each word to the right by so many bits.
  static V turn(const V& x, const V& by) {
    if constexpr (requires { Wide::turn(x, by); }) {
      return Wide::turn(x, by);
    } else {
      return (x >> (by & 31U)) | (x << (-by & 31U));
    }
  }

  /// A threshold as position and rest: a lane passes it if its position is above `whole`, or equal with a rest of at
  /// least `cut`.
  struct Threshold {
    Signed cut;
    V passing, passing_below;  ///< lanes, turned to the position 0, where the rest is at least cut, and where it is not
    explicit Threshold(std::uint32_t threshold) {
      const std::uint32_t passing_word = ~std::uint32_t{0} << (threshold >> 27);
      cut = Signed{} + static_cast<std::int32_t>(threshold & 0x7FFFFFFU);
      passing = V{} + passing_word;
      passing_below = V{} + (passing_word << 1);
    }
    Threshold() = default;
    /// Lanes whose word (multispin_word) is at least this, turned to the position 0. rest: the lower 27 bits of all
    /// lanes, compared as signed numbers, as every instruction set can
    [[nodiscard]] V passes(const V& rest) const {
      return reinterpret_cast<Signed>(rest) < cut ? passing_below : passing;
    }
  };

  /// Lanes in which m and the thresholds passed together reach the number of thresholds. by: how far lanes are turned
  template <int bits, int thresholds>
  static V reaches(const typename Sums::template Number<bits>& m, const V (&passes)[thresholds], const V& by) {
    return Sums::reaches(m, passed<bits>(passes, by));
  }
  /// In a field, where spins +1 and -1 (lanes of `down`) have thresholds of their own.
  template <int bits, int thresholds>
  static V reaches(const typename Sums::template Number<bits>& m, const V (&passes)[2][thresholds], const V& down,
                   const V& by) {
    auto number = passed<bits>(passes[0], by);
    const auto of_down = passed<bits>(passes[1], by);
#pragma GCC unroll 5
    for (int k = 0; k < bits; ++k) number.bit[k] ^= (number.bit[k] ^ of_down.bit[k]) & down;
    return Sums::reaches(m, number);
  }
  template <int bits, int thresholds>
  static auto passed(const V (&passes)[thresholds], const V& by) {
    auto number = Sums::template complement<bits>(passes);
#pragma GCC unroll 5
    for (V& x : number.bit) x = turn(x, by);
    return number;
  }

  /// z: bonds of a site.
  template <int z, bool diluted, MultispinRule rule, bool in_field>
  static void half_sweep_of(const MultispinHalfSweep& job) {
    constexpr int step = multispin_step(diluted), thresholds = deciding_thresholds(rule, z, diluted, in_field);
    constexpr int spin_bits = in_field ? 2 : 1;
    const MultispinGeometry& g = *job.geometry;
    const std::int64_t half = g.sites / 2;
    V turns;
    for (int w = 0; w < column; ++w) turns[w] = multispin_turn(static_cast<std::uint32_t>(w % 4));
    const std::uint32_t *const negative = job.couplings.negative, *const absent_bonds = job.couplings.absent;
    const std::int32_t *const of_colour = g.of_colour + job.colour * half, *const all_neighbours = g.neighbour,
                              *const random_word = g.random_word;
    Threshold threshold[MultispinHalfSweep::most][spin_bits][thresholds];
    std::uint32_t* spins[MultispinHalfSweep::most];
    const std::uint32_t* random[MultispinHalfSweep::most];
    const int replicas = job.replicas;
    for (int r = 0; r < replicas; ++r) {
      spins[r] = job.spins[r];
      random[r] = job.random[r];
      for (int b = 0; b < spin_bits; ++b) {
        for (int k = 0; k < thresholds; ++k) {
          threshold[r][b][k] = Threshold(job.threshold[r][b * (2 * z + 1) + k * step]);
        }
      }
    }
    for (std::int64_t n = 0; n < half; ++n) {
      const std::int64_t i = of_colour[n];
      std::int64_t neighbour[z];
      V J[z], absent[z];
#pragma GCC unroll 8
      for (int bond = 0; bond < z; ++bond) {
        neighbour[bond] = all_neighbours[i * z + bond] * std::int64_t{words};
        const std::int64_t owner = bond % 2 == 0 ? i * words : neighbour[bond];
        const std::int64_t place = owner * (z / 2) + bond / 2 * words;
        J[bond] = load(negative + place);
        if constexpr (diluted) absent[bond] = load(absent_bonds + place);
      }
      const std::int64_t word_at = std::int64_t{random_word[i]} * groups;
      for (int r = 0; r < replicas; ++r) {
        std::uint32_t* const own = spins[r] + i * words;
        const V s = load(own);
        V unsatisfied[z];
#pragma GCC unroll 8
        for (int bond = 0; bond < z; ++bond) {
          unsatisfied[bond] = s ^ load(spins[r] + neighbour[bond]) ^ J[bond];
          if constexpr (diluted) unsatisfied[bond] &= ~absent[bond];
        }
        const V word = spread(random[r] + word_at);
        const V rest = word >> 5, by = word * turns;
        V passes[spin_bits][thresholds];
#pragma GCC unroll 2
        for (int b = 0; b < spin_bits; ++b) {
#pragma GCC unroll 17
          for (int k = 0; k < thresholds; ++k) passes[b][k] = threshold[r][b][k].passes(rest);
        }
        // A spin flips if (m in steps) + (thresholds passed) reaches the number of thresholds.
        if constexpr (rule == MultispinRule::metropolis && !diluted && !in_field && z > 2) {
          V passed[Sums::template half_word_count<z>];
          Sums::template half_words<z>(passes[0], passed);
#pragma GCC unroll 3
          for (V& x : passed) x = turn(x, by);
          store(own, s ^ Sums::reaches_half(unsatisfied, passed));
        } else {
          const auto m = [&] {
            if constexpr (diluted) {
              return Sums::weighted(Sums::count(unsatisfied), Sums::count(absent));
            } else {
              return Sums::count(unsatisfied);
            }
          }();
          if constexpr (in_field) {
            store(own, s ^ reaches(m, passes, s, by));
          } else {
            store(own, s ^ reaches(m, passes[0], by));
          }
        }
      }
    }
  }
  template <int z, bool diluted>
  static void half_sweep_by_rule(const MultispinHalfSweep& job) {
    if (job.in_field)
      return half_sweep_of<z, diluted, MultispinRule::heat_bath, true>(job);  // all thresholds, as they are
    if (job.rule == MultispinRule::metropolis) return half_sweep_of<z, diluted, MultispinRule::metropolis, false>(job);
    half_sweep_of<z, diluted, MultispinRule::heat_bath, false>(job);
  }
  template <int z>
  static void half_sweep_for(const MultispinHalfSweep& job) {
    job.couplings.absent != nullptr ? half_sweep_by_rule<z, true>(job) : half_sweep_by_rule<z, false>(job);
  }
  static void half_sweep_of_column(const MultispinHalfSweep& job) {
    if (job.geometry->graph != nullptr) return GraphWords<MultispinKernels>::sweep(job);
    switch (job.geometry->dim) {
      case 1:
        return half_sweep_for<2>(job);
      case 2:
        return half_sweep_for<4>(job);
      case 3:
        return half_sweep_for<6>(job);
      default:
        return half_sweep_for<8>(job);
    }
  }
  static void half_sweep(const MultispinHalfSweep& job) {
    for (int w = 0; w < words; w += column) {
      MultispinHalfSweep of_column = job;
      of_column.couplings = from(job.couplings, w);
      for (int r = 0; r < job.replicas; ++r) {
        of_column.random[r] += w / 4;
        of_column.spins[r] += w;
      }
      half_sweep_of_column(of_column);
    }
  }

  template <class Word>
  static Word* from(Word* words_of_sites, int w) {
    return words_of_sites == nullptr ? nullptr : words_of_sites + w;
  }
  static MultispinCouplings from(const MultispinCouplings& J, int w) {
    return {from(J.negative, w), from(J.absent, w)};
  }

  static void unsatisfied(const MultispinGeometry& g, const MultispinCouplings& J, const std::uint32_t* a,
                          const std::uint32_t* b, std::uint32_t* count) {
    for (int w = 0; w < words; w += column) unsatisfied_in_column(g, from(J, w), a + w, from(b, w), count + w);
  }
  static void unsatisfied_in_column(const MultispinGeometry& g, const MultispinCouplings& J, const std::uint32_t* a,
                                    const std::uint32_t* b, std::uint32_t* count) {
    if (g.graph != nullptr) return GraphWords<MultispinKernels>::unsatisfied(*g.graph, J, a, b, count);
    switch (g.dim) {
      case 1:
        return unsatisfied_of<1>(g, J, a, b, count);
      case 2:
        return unsatisfied_of<2>(g, J, a, b, count);
      case 3:
        return unsatisfied_of<3>(g, J, a, b, count);
      default:
        return unsatisfied_of<4>(g, J, a, b, count);
    }
  }
  /// Two sites at a time, whose bonds are counted together.
  template <int dim>
  static void unsatisfied_of(const MultispinGeometry& g, const MultispinCouplings& J, const std::uint32_t* a,
                             const std::uint32_t* b, std::uint32_t* count) {
    Counter counter(g.sites * dim);
    for (std::int64_t first = 0; first < g.sites; first += 2) {
      V x[2 * dim];
#pragma GCC unroll 8
      for (int bond = 0; bond < 2 * dim; ++bond) {
        const std::int64_t i = first + bond / dim, place = first * dim + bond, j = g.neighbour[place * 2];
        x[bond] =
            load(a + i * words) ^ load_if(b, i) ^ load(a + j * words) ^ load_if(b, j) ^ load_if(J.negative, place);
        if (J.absent != nullptr) x[bond] &= ~load(J.absent + place * words);
      }
      counter.add(Sums::count(x), 2 * dim);
    }
    counter.read(count);
  }

  static void planes(const MultispinGeometry& g, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* count) {
    for (int w = 0; w < words; w += column) planes_in_column(g, a + w, from(b, w), count + w);
  }
  static void planes_in_column(const MultispinGeometry& g, const std::uint32_t* a, const std::uint32_t* b,
                               std::uint32_t* count) {
    if (g.graph != nullptr) return GraphWords<MultispinKernels>::planes(*g.graph, a, b, count);
    std::int64_t step = 1;  // from a site to the next one along the axis
    for (int axis = 0; axis < g.dim; ++axis, step *= g.L) {
      for (int c = 0; c < g.L; ++c) {
        Counter counter(g.sites / g.L);
        for (std::int64_t outer = c * step; outer < g.sites; outer += step * g.L) {
          for (std::int64_t i = outer; i < outer + step; ++i) counter.add(load(a + i * words) ^ load_if(b, i));
        }
        counter.read(count + (std::int64_t{axis} * g.L + c) * 32 * words);
      }
    }
  }

  static void differing(std::int64_t sites, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* count) {
    for (int w = 0; w < words; w += column) {
      Counter counter(sites);
      for (std::int64_t i = 0; i < sites; ++i) counter.add(load(a + i * words + w) ^ load_if(from(b, w), i));
      counter.read(count + w);
    }
  }

  static void swap_clusters(const MultispinSwap& job) {
    for (int w = 0; w < words; w += column) {
      MultispinSwap of_column = job;
      of_column.absent = from(job.absent, w);
      of_column.countdown += w;
      for (std::uint32_t** p : {&of_column.differing, &of_column.reached, &of_column.a, &of_column.b}) *p += w;
      SwapKernels<V, words>::swap(of_column);
    }
  }

  static void exchange(const std::uint32_t* mask, std::int64_t begin, std::int64_t end, std::uint32_t* a,
                       std::uint32_t* b) {
    for (int w = 0; w < words; w += column) {
      const V lanes = load(mask + w);
      for (std::int64_t i = begin * words + w; i < end * words; i += words) {
        const V x = load(a + i), y = load(b + i), differing = (x ^ y) & lanes;
        store(a + i, x ^ differing);
        store(b + i, y ^ differing);
      }
    }
  }

  static constexpr MultispinTable table{words,  random,    half_sweep,    unsatisfied,
                                        planes, differing, swap_clusters, exchange};
};

/// The tables of one instruction set.
template <class Wide>
constexpr MultispinTable multispin_tables[3] = {MultispinKernels<Wide, 4>::table, MultispinKernels<Wide, 8>::table,
                                                MultispinKernels<Wide, 16>::table};

}}  // namespace glassworks::cpu

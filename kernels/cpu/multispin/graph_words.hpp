#pragma once

#include "kernels/cpu/multispin/multispin_table.hpp"
#include "kernels/models/multispin.hpp"

namespace glassworks { inline namespace cpu {

/// The loops of multi-spin coding on a graph that all realizations of a bundle share. Kernels: MultispinKernels.
template <class Kernels>
struct GraphWords {
  using V = typename Kernels::V;
  static constexpr int words = Kernels::stride_words, most = MultispinGraph::most_bonds;

  static void sweep(const MultispinHalfSweep& job) {
    const MultispinGraph& graph = *job.geometry->graph;
    V turns;
    for (int w = 0; w < Kernels::column; ++w) turns[w] = multispin_turn(static_cast<std::uint32_t>(w % 4));
    for (std::int64_t place = 0; place < job.geometry->sites; ++place) {
      switch (graph.begin[place + 1] - graph.begin[place]) {
        case 3:
          update<3>(job, graph, place, turns);
          break;
        case 4:
          update<4>(job, graph, place, turns);
          break;
        case 6:
          update<6>(job, graph, place, turns);
          break;
        default:
          update<0>(job, graph, place, turns);
      }
    }
  }

  static void unsatisfied(const MultispinGraph& graph, const MultispinCouplings& J, const std::uint32_t* a,
                          const std::uint32_t* b, std::uint32_t* count) {
    typename Kernels::Counter counter(graph.bond_count);
    const auto product = [&](std::int64_t bond) {
      const std::int64_t i = graph.bonds[bond].a, j = graph.bonds[bond].b;
      return Kernels::load(a + i * words) ^ Kernels::load_if(b, i) ^ Kernels::load(a + j * words) ^
             Kernels::load_if(b, j) ^ Kernels::load_if(J.negative, bond);
    };
    std::int64_t bond = 0;
    for (; bond + 4 <= graph.bond_count; bond += 4) {
      const V x[4] = {product(bond), product(bond + 1), product(bond + 2), product(bond + 3)};
      counter.add(Kernels::Sums::count(x), 4);
    }
    for (; bond < graph.bond_count; ++bond) counter.add(product(bond));
    counter.read(count);
  }

  static void planes(const MultispinGraph& graph, const std::uint32_t* a, const std::uint32_t* b,
                     std::uint32_t* count) {
    for (int plane = 0; plane < graph.planes; ++plane) {
      const std::int64_t begin = graph.plane_begin[plane], end = graph.plane_begin[plane + 1];
      typename Kernels::Counter counter(end - begin);
      for (std::int64_t n = begin; n < end; ++n) {
        const std::int64_t i = graph.in_plane[n];
        counter.add(Kernels::load(a + i * words) ^ Kernels::load_if(b, i));
      }
      counter.read(count + std::int64_t{plane} * 32 * words);
    }
  }

 private:
  /// A site with a known number of bonds, or (0) with any.
  template <int known>
  static void update(const MultispinHalfSweep& job, const MultispinGraph& graph, std::int64_t place, const V& turns) {
    constexpr int room = known > 0 ? known : most;
    const std::int64_t i = graph.site[place];
    const MultispinGraph::Link* const link = graph.links + graph.begin[place];
    const int z = known > 0 ? known : static_cast<int>(graph.begin[place + 1] - graph.begin[place]);
    const std::int64_t word_at = std::int64_t{job.geometry->random_word[i]} * Kernels::groups;
    for (int r = 0; r < job.replicas; ++r) {
      std::uint32_t* const own = job.spins[r] + i * words;
      const V s = Kernels::load(own);
      V at_least[room + 1] = {~V{}};  // so many unsatisfied bonds
#pragma GCC unroll 6
      for (int bond = 0; bond < z; ++bond) {
        const V x = s ^ Kernels::load(job.spins[r] + std::int64_t{link[bond].site} * words) ^
                    Kernels::load(job.couplings.negative + std::int64_t{link[bond].bond} * words);
#pragma GCC unroll 6
        for (int k = bond; k >= 0; --k) at_least[k + 1] |= at_least[k] & x;
      }
      const V word = Kernels::spread(job.random[r] + word_at);
      const V rest = word >> 5, by = word * turns;
      const std::uint32_t* const threshold = job.threshold[r] + MultispinGraph::thresholds_of(z);
      // Whoever passes a threshold passes those of more unsatisfied bonds too.
      V flips{};
#pragma GCC unroll 7
      for (int k = 0; k <= z; ++k) {
        V passes = Kernels::turn(typename Kernels::Threshold(threshold[2 * k]).passes(rest), by);
        if (job.in_field) {
          const V of_down = Kernels::turn(typename Kernels::Threshold(threshold[2 * z + 1 + 2 * k]).passes(rest), by);
          passes ^= (passes ^ of_down) & s;
        }
        flips |= at_least[k] & passes;
      }
      Kernels::store(own, s ^ flips);
    }
  }
};

}}  // namespace glassworks::cpu

#pragma once

#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks::inline cpu {

/// Sixteen things, as vectors of the processor hold them.
template <class Thing>
struct Sixteen {
  Thing thing[16] = {};
  GLASSWORKS_HD Thing get(int i) const { return thing[i]; }
  GLASSWORKS_HD void set(int i, const Thing& t) { thing[i] = t; }
  /// How many to work on where `count` are needed.
  GLASSWORKS_HD static int whole(int count) { return count; }
};
template <int n>
struct Sixteen<exact::Vector<n>> {
  alignas(64) float component[n][16] = {};
  GLASSWORKS_HD exact::Vector<n> get(int i) const {
    exact::Vector<n> v;
    for (int k = 0; k < n; ++k) v.c[k] = component[k][i];
    return v;
  }
  GLASSWORKS_HD void set(int i, const exact::Vector<n>& v) {
    for (int k = 0; k < n; ++k) component[k][i] = v.c[k];
  }
  GLASSWORKS_HD static int whole(int) { return 16; }
};

/// Local sweeps: sixteen sites of one parity in a row are gathered, updated and put back.
template <class Wide>
struct LocalKernels {
  static void local_sweep(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                          std::int64_t end) {
    for_model(job.model, [&](auto m) {
      using M = decltype(m);
      if constexpr (M::free_modulus) {
        for (std::int64_t row = begin; row < end; ++row) sweep_free_modulus<M>(g, job, parity, row);
      } else if (g.dim == 1) {
        sweep_chain<M>(g, job, parity, begin, end);
      } else {
        sweep_row_pairs<M>(g, job, parity, begin, end);
      }
    });
  }

  static void over_relax(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                         std::int64_t end) {
    for_vector_model(job.model, [&](auto m) {
      using M = decltype(m);
      for (std::int64_t row = begin; row < end; ++row) {
        for (int x = (g.parity[row] + parity) & 1; x < g.L; x += 32) {
          change<M>(g, job, row, {x, 2, count_of(g.L, x, 2)},
                    [](const auto& s, const auto& h, int) { return exact::over_relax(s, h); });
        }
      }
    });
  }

 private:
  /// Sites x, x + step, ... of a row.
  struct Places {
    int x, step, count;
  };
  static int count_of(int L, int x, int step) {
    const int n = (L - x + step - 1) / step;
    return n < 0 ? 0 : (n < 16 ? n : 16);
  }

  /// d = 1.
  template <class M>
  static void sweep_chain(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                          std::int64_t end) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    alignas(64) std::uint32_t word[4][16];
    for (std::int64_t row = begin; row < end; ++row) {
      for (int first = 0; first < (g.L + 3) / 4; first += 16) {
        Wide::philox(job.random.key, static_cast<std::uint32_t>(first), rest, word);
        for (int member = 0; member < 2; ++member) {
          const int x = 4 * first + 2 * member + parity;
          update<M>(g, job, row, {x, 4, count_of(g.L, x, 4)}, word[2 * member], word[2 * member + 1]);
        }
      }
    }
  }

  /// Two rows share their random words.
  template <class M>
  static void sweep_row_pairs(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                              std::int64_t end) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    alignas(64) std::uint32_t word[4][16];
    for (std::int64_t row = begin; row < end; row += 2) {
      for (int first = 0; first < g.L / 2; first += 16) {
        Wide::philox(job.random.key, static_cast<std::uint32_t>(row / 2 * (g.L / 2) + first), rest, word);
        for (int member = 0; member < 2; ++member) {
          const int x = 2 * first + ((g.parity[row + member] + parity) & 1);
          update<M>(g, job, row + member, {x, 2, count_of(g.L, x, 2)}, word[2 * member], word[2 * member + 1]);
        }
      }
    }
  }

  /// The bond of each place: site of the neighbour and site that owns the bond. direction 0: +axis, 1: -axis.
  static void neighbours(const ClusterGeometry& g, std::int64_t row, Places places, int axis, int direction,
                         std::int64_t* neighbour, std::int64_t* owner) {
    for (int i = 0; i < places.count; ++i) {
      const int x = places.x + i * places.step;
      const std::int64_t site = row * g.L + x;
      if (axis == 0) {
        neighbour[i] =
            direction == 0 ? (x + 1 == g.L ? site + 1 - g.L : site + 1) : (x == 0 ? site - 1 + g.L : site - 1);
      } else {
        neighbour[i] = (direction == 0 ? g.forward : g.backward)[(axis - 1) * g.rows + row] * std::int64_t{g.L} + x;
      }
      owner[i] = direction == 0 ? site : neighbour[i];
    }
  }

  /// What each place knows of its neighbours, in the order of bonds that defines the chain.
  template <class M>
  static void gather(const ClusterGeometry& g, const LocalSweepJob& job, const SiteArray<typename M::Site>& sites,
                     std::int64_t row, Places places, Sixteen<typename M::Neighbours>& h) {
    std::int64_t neighbour[16], owner[16];
    if constexpr (M::has_fields) {
      const SiteArray<exact::Vector<M::components>> fields(nullptr, const_cast<float*>(job.fields), job.stride);
      for (int i = 0; job.fields != nullptr && i < places.count; ++i) {
        typename M::Neighbours start;
        M::start(start, fields.load(row * g.L + places.x + i * places.step));
        h.set(i, start);
      }
    }
    for (int axis = 0; axis < g.dim; ++axis) {
      for (int direction = 0; direction < 2; ++direction) {
        neighbours(g, row, places, axis, direction, neighbour, owner);
        const bool first = axis == 0 && direction == 0 && job.fields == nullptr;
        for (int i = 0; i < places.count; ++i) {
          typename M::Neighbours sum = h.get(i);
          M::add_bond(sum, job.couplings[axis * job.stride + owner[i]], sites.load(neighbour[i]), first);
          h.set(i, sum);
        }
      }
    }
  }

  /// change(site, neighbours, place) gives what each place holds next.
  template <class M, class Change>
  static void change(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                     const Change& change) {
    const SiteArray<typename M::Site> sites(job.states, job.spins, job.stride);
    Sixteen<typename M::Neighbours> h;
    Sixteen<typename M::Site> s;
    gather<M>(g, job, sites, row, places, h);
    const std::int64_t place = row * g.L + places.x;
    for (int i = 0; i < places.count; ++i) s.set(i, sites.load(place + i * places.step));
    for (int i = 0; i < h.whole(places.count); ++i) s.set(i, change(s.get(i), h.get(i), i));
    for (int i = 0; i < places.count; ++i) sites.store(place + i * places.step, s.get(i));
  }

  template <class M>
  static void update(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                     const std::uint32_t* w0, const std::uint32_t* w1) {
    change<M>(g, job, row, places,
              [&](const auto& s, const auto& h, int i) { return M::local_update(s, h, job.constants, w0[i], w1[i]); });
  }

  template <class M>
  static void sweep_free_modulus(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t row) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    const SiteArray<typename M::Site> sites(job.states, job.spins, job.stride);
    alignas(64) std::uint32_t word[4][16];
    const int offset = (g.parity[row] + parity) & 1;
    for (int x = 0; x < g.L; x += 16) {
      Wide::philox(job.random.key, static_cast<std::uint32_t>(row * g.L + x), rest, word);
      const int left = (g.L - x) / 2;
      const Places places{x + offset, 2, left < 8 ? left : 8};
      Sixteen<typename M::Neighbours> h;
      gather<M>(g, job, sites, row, places, h);
      for (int i = 0; i < places.count; ++i) {
        const std::int64_t site = row * g.L + places.x + 2 * i;
        RandomBlock block;
        for (int k = 0; k < 4; ++k) block.word[k] = word[k][2 * i + offset];
        const auto move = M::local_update(sites.load(site), h.get(i), job.constants, block);
        sites.store(site, move.phi);
        job.tally->accepted += move.accepted ? 1 : 0;
        job.tally->too_large = job.tally->too_large || move.too_large;
      }
    }
  }
};

}  // namespace glassworks::inline cpu

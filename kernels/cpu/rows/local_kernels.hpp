#pragma once

#include "kernels/cpu/rows/counted_kernels.hpp"
#include "kernels/cpu/rows/ising_rows.hpp"
#include "kernels/cpu/rows/row_lanes.hpp"

namespace glassworks { inline namespace cpu {

/// Local sweeps: sixteen sites of one parity are brought into lanes with their neighbours, updated and put back.
template <class Wide>
struct LocalKernels {
  static void local_sweep(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                          std::int64_t end) {
    for_model(job.model, [&](auto m) {
      using M = decltype(m);
      if constexpr (CountedKernels<Wide>::template has<M>) {
        if (job.counted != nullptr) return CountedKernels<Wide>::template local_sweep<M>(g, job, parity, begin, end);
      } else if constexpr (std::is_same_v<M, Ising>) {
        if (job.counted != nullptr) return IsingRows<Wide>::local_sweep(g, job, parity, begin, end);
      } else if constexpr (std::is_same_v<M, Potts>) {
        if (job.counted != nullptr) return sweep_in_lanes<CountedPotts>(g, job, parity, begin, end);
      }
      sweep_in_lanes<M>(g, job, parity, begin, end);
    });
  }

  static void over_relax(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                         std::int64_t end) {
    for_vector_model(job.model, [&](auto m) {
      if (g.L < Wide::shortest_row) return over_relax_one_by_one<decltype(m)>(g, job, parity, begin, end);
      Sweep<decltype(m)> sweep(g, job);
      const auto over_relax = [&](const RowBlock& block) { sweep.over_relax(block); };
      for_blocks(g, parity, begin, end, over_relax, [&](const RowBlock* member) {
        over_relax(member[0]);
        over_relax(member[1]);
      });
    });
  }

 private:
  using Rows = RowBlocks<Wide>;

  template <class M>
  static void sweep_in_lanes(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                             std::int64_t end) {
    Sweep<M> sweep(g, job);
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    alignas(64) std::uint32_t word[2][4][16];
    if constexpr (M::free_modulus) {
      const auto draw = [&](const RowBlock& block, std::uint32_t(*to)[16]) {
        alignas(64) std::uint32_t site[16];
        block.sites_of(g.L, site);
        Wide::philox(job.random.key, site, rest, to);
      };
      for_blocks(
          g, parity, begin, end,
          [&](const RowBlock& block) {
            draw(block, word[0]);
            sweep.update(block, word[0]);
          },
          [&](const RowBlock* member) {
            for (int i = 0; i < 2; ++i) draw(member[i], word[i]);
            sweep.update_both(member, word[0], word[1]);
          });
    } else if (g.dim == 1) {
      if (begin == end) return;
      RowBlocks<Wide>::for_chain(g, parity, [&](const RowBlock& block, int first) {
        alignas(64) std::uint32_t in_order[2][16];
        Wide::philox(job.random.key, static_cast<std::uint32_t>(first / 2), rest, word[0]);
        for (int i = 0; i < 16; ++i) {  // four sites of the chain share a block of words
          for (int w = 0; w < 2; ++w) in_order[w][i] = word[0][2 * (i & 1) + w][i / 2];
        }
        sweep.update(block, in_order);
      });
    } else {
      RowBlocks<Wide>::for_cells(g, parity, begin, end, [&](const RowBlock* member, std::int64_t first) {
        Wide::philox(job.random.key, static_cast<std::uint32_t>(first), rest, word[0]);
        sweep.update_both(member, word[0], word[0] + 2);
      });
    }
  }

  /// Site by site: faster where a vector takes its sites from several short rows.
  template <class M>
  static void over_relax_one_by_one(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                                    std::int64_t end) {
    constexpr int n = M::components;
    const SiteArray<typename M::Site> sites(nullptr, job.spins, job.stride);
    for (std::int64_t row = begin; row < end; ++row) {
      std::int64_t ahead[Lattice::max_dim], behind[Lattice::max_dim];
      for (int axis = 1; axis < g.dim; ++axis) {
        ahead[axis] = std::int64_t{g.forward[(axis - 1) * g.rows + row]} * g.L;
        behind[axis] = std::int64_t{g.backward[(axis - 1) * g.rows + row]} * g.L;
      }
      ahead[0] = behind[0] = row * g.L;
      for (int x = (g.parity[row] + parity) & 1; x < g.L; x += 2) {
        const std::int64_t site = row * g.L + x;
        exact::Vector<n> h{};
        bool first = true;
        if constexpr (M::has_fields) {
          if (job.fields != nullptr) {
            for (int k = 0; k < n; ++k) h.c[k] = job.fields[k * job.stride + site];
            first = false;
          }
        }
        const auto add = [&](float J, std::int64_t neighbour) {
          M::add_bond(job.model, h, J, sites.load(neighbour), first);
          first = false;
        };
        for (int axis = 0; axis < g.dim; ++axis) {
          const float* J = job.couplings + axis * job.stride;
          const std::int64_t next = ahead[axis] + (axis > 0       ? x
                                                   : x + 1 == g.L ? 0
                                                                  : x + 1),
                             last = behind[axis] + (axis > 0 ? x
                                                    : x == 0 ? g.L - 1
                                                             : x - 1);
          add(J[site], next);
          add(J[last], last);
        }
        sites.store(site, exact::over_relax(sites.load(site), h));
      }
    }
  }

  /// alone(block) in d = 1, both(block[2]) else: two blocks without a common bond.
  template <class Alone, class Both>
  static void for_blocks(const ClusterGeometry& g, int parity, std::int64_t begin, std::int64_t end, const Alone& alone,
                         const Both& both) {
    if (g.dim == 1) {
      if (begin != end) Rows::for_chain(g, parity, [&](const RowBlock& block, int) { alone(block); });
      return;
    }
    Rows::for_cells(g, parity, begin, end, [&](const RowBlock* member, std::int64_t) { both(member); });
  }

  template <class M>
  struct Sweep {
    using Block = RowLanes<Wide, M>;
    using F = typename Block::F;
    using Access = typename Block::Access;
    using Model = typename Block::Model;
    using OfBoth = exact::LaneModel<M, std::conditional_t<Model::is_long_chain, exact::Twice<F>, F>>;

    Sweep(const ClusterGeometry& g, const LocalSweepJob& j)
        : job(j), model(model_of<Model>(j)), of_both(model_of<OfBoth>(j)), block{{g, job}, {g, job}} {}

    void update(const RowBlock& sites, const std::uint32_t (*word)[16]) {
      block[0].take(sites, Model::needs_old_spin);
      for (int lane = 0; lane < sites.sites; lane += Access::width) {
        exact::Bits<F> w[Model::words];
        for (int i = 0; i < Model::words; ++i) w[i] = Access::load(word[i] + lane);
        set(0, lane, model.update(block[0].spin(lane), block[0].bonds(model, lane), w), sites.sites - lane);
      }
      block[0].put(sites);
    }

    /// Of two blocks with as many sites each: side by side where an update is a long chain of dependent operations.
    void update_both(const RowBlock sites[2], const std::uint32_t (*word0)[16], const std::uint32_t (*word1)[16]) {
      if constexpr (Model::is_long_chain) {
        for (int i = 0; i < 2; ++i) block[i].take(sites[i], Model::needs_old_spin);
        for (int lane = 0; lane < sites[0].sites; lane += Access::width) {
          exact::Twice<exact::Bits<F>> w[Model::words];
          for (int i = 0; i < Model::words; ++i) w[i] = {Access::load(word0[i] + lane), Access::load(word1[i] + lane)};
          const auto s = of_both.update(exact::twice(block[0].spin(lane), block[1].spin(lane)),
                                        exact::twice(block[0].bonds(model, lane), block[1].bonds(model, lane)), w);
          set(0, lane, exact::first(s), sites[0].sites - lane);
          set(1, lane, exact::second(s), sites[1].sites - lane);
        }
        for (int i = 0; i < 2; ++i) block[i].put(sites[i]);
      } else {
        update(sites[0], word0);
        update(sites[1], word1);
      }
    }

    void over_relax(const RowBlock& sites) {
      block[0].take(sites, true);
      for (int lane = 0; lane < sites.sites; lane += Access::width) {
        block[0].set(lane, exact::over_relax(block[0].spin(lane), block[0].bonds(model, lane)));
      }
      block[0].put(sites);
    }

   private:
    template <class Made>
    static Made model_of(const LocalSweepJob& job) {
      if constexpr (std::is_constructible_v<Made, const LocalSweepJob&>)
        return Made(job);
      else
        return Made(job.constants);
    }
    /// count: lanes that hold a site
    template <class Updated>
    void set(int of_block, int lane, const Updated& s, int count) {
      if constexpr (M::free_modulus) {
        model.tally(s, count, *job.tally);
        block[of_block].set(lane, s.phi);
      } else {
        block[of_block].set(lane, s);
      }
    }

    const LocalSweepJob& job;
    Model model;
    OfBoth of_both;
    Block block[2];
  };
};

}}  // namespace glassworks::cpu

#pragma once

#include "kernels/cpu/rows/counted_kernels.hpp"
#include "kernels/cpu/rows/lane_models.hpp"
#include "kernels/cpu/rows/row_block.hpp"

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
      }
      Sweep<M> sweep(g, job);
      const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
      alignas(64) std::uint32_t word[4][16];
      if constexpr (M::free_modulus) {
        for_blocks(g, parity, begin, end, [&](const RowBlock& block) {
          alignas(64) std::uint32_t site[16];
          block.sites_of(g.L, site);
          Wide::philox(job.random.key, site, rest, word);
          sweep.update(block, word);
        });
      } else if (g.dim == 1) {
        if (begin == end) return;
        RowBlocks<Wide>::for_chain(g, parity, [&](const RowBlock& block, int first) {
          alignas(64) std::uint32_t in_order[2][16];
          Wide::philox(job.random.key, static_cast<std::uint32_t>(first / 2), rest, word);
          for (int i = 0; i < 16; ++i) {  // four sites of the chain share a block of words
            for (int w = 0; w < 2; ++w) in_order[w][i] = word[2 * (i & 1) + w][i / 2];
          }
          sweep.update(block, in_order);
        });
      } else {
        RowBlocks<Wide>::for_cells(g, parity, begin, end, [&](const RowBlock* member, std::int64_t first) {
          Wide::philox(job.random.key, static_cast<std::uint32_t>(first), rest, word);
          sweep.update(member[0], word);
          sweep.update(member[1], word + 2);
        });
      }
    });
  }

  static void over_relax(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                         std::int64_t end) {
    for_vector_model(job.model, [&](auto m) {
      if (g.L < Wide::shortest_row) return over_relax_one_by_one<decltype(m)>(g, job, parity, begin, end);
      Sweep<decltype(m)> sweep(g, job);
      for_blocks(g, parity, begin, end, [&](const RowBlock& block) { sweep.over_relax(block); });
    });
  }

 private:
  using F = typename Wide::Float;
  using Access = exact::Lanes<F>;
  using Rows = RowBlocks<Wide>;

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

  template <class Body>
  static void for_blocks(const ClusterGeometry& g, int parity, std::int64_t begin, std::int64_t end, const Body& body) {
    if (g.dim == 1) {
      if (begin != end) Rows::for_chain(g, parity, [&](const RowBlock& block, int) { body(block); });
      return;
    }
    Rows::for_cells(g, parity, begin, end, [&](const RowBlock* member, std::int64_t) {
      body(member[0]);
      body(member[1]);
    });
  }

  /// The lanes of a block and what they know of their neighbours.
  template <class M>
  struct Sweep {
    using Model = exact::LaneModel<M, F>;
    using Number = typename Model::Number;
    /// Numbers that are stored of a site, and components of a field.
    static constexpr int n = M::discrete ? 1 : M::components, field_components = M::components;
    static constexpr int most_bonds = 2 * Lattice::max_dim;

    Sweep(const ClusterGeometry& geometry, const LocalSweepJob& j) : g(geometry), job(j), constants(j.constants) {
      if (!job.one_coupling) return;
      for (auto& of_bond : coupling) {
        for (float& J : of_bond.lane) J = job.couplings[0];
      }
    }

    /// Where component k of all sites is stored.
    auto* component(int k) const {
      if constexpr (M::discrete)
        return job.states + k;
      else
        return job.spins + k * job.stride;
    }

    /// Neighbours and couplings in the order of bonds that defines the chain.
    void take_neighbours(const RowBlock& block) {
      for (int axis = 0; axis < g.dim; ++axis) {
        for (int direction = 0; direction < 2; ++direction) {
          const int bond = 2 * axis + direction;
          for (int k = 0; k < n; ++k)
            Rows::take_neighbours(g, block, axis, direction, component(k), neighbour[bond][k]);
          if (job.one_coupling) continue;
          const float* J = job.couplings + axis * job.stride;
          if (direction == 0) {
            Rows::take(g, block, J, coupling[bond]);
          } else {
            Rows::take_neighbours(g, block, axis, direction, J, coupling[bond]);
          }
        }
      }
      if constexpr (M::has_fields) {
        if (job.fields == nullptr) return;
        for (int k = 0; k < field_components; ++k) Rows::take(g, block, job.fields + k * job.stride, field[k]);
      }
    }
    void take_sites(const RowBlock& block) {
      for (int k = 0; k < n; ++k) Rows::take(g, block, component(k), site[k]);
    }
    void put_sites(const RowBlock& block) {
      for (int k = 0; k < n; ++k) Rows::put(g, block, site[k], component(k));
    }

    /// Bonds of the lanes lane, lane + 1, ...
    auto bonds(int lane) const {
      typename Model::Neighbours h{};
      bool first = true;
      if constexpr (M::has_fields) {
        if (job.fields != nullptr) {
          for (int k = 0; k < field_components; ++k) h.c[k] = Access::load(field[k].lane + lane);
          first = false;
        }
      }
      for (int bond = 0; bond < 2 * g.dim; ++bond) {
        typename Model::Site s;
        for (int k = 0; k < n; ++k) s.c[k] = Access::load(neighbour[bond][k].lane + lane);
        constants.add_bond(h, Access::load(coupling[bond].lane + lane), s, first && bond == 0, bond);
      }
      return h;
    }
    auto spin(int lane) const {
      typename Model::Site s;
      for (int k = 0; k < n; ++k) s.c[k] = Access::load(site[k].lane + lane);
      return s;
    }
    void set(int lane, const typename Model::Site& s) {
      for (int k = 0; k < n; ++k) Access::store(site[k].lane + lane, s.c[k]);
    }

    void update(const RowBlock& block, const std::uint32_t (*word)[16]) {
      take_neighbours(block);
      if constexpr (Model::needs_old_spin) take_sites(block);
      for (int lane = 0; lane < block.sites; lane += Access::width) {
        exact::Bits<F> w[Model::words];
        for (int i = 0; i < Model::words; ++i) w[i] = Access::load(word[i] + lane);
        set(lane, constants.update(spin(lane), bonds(lane), w, block.sites - lane, job.tally));
      }
      put_sites(block);
    }

    void over_relax(const RowBlock& block) {
      take_neighbours(block);
      take_sites(block);
      for (int lane = 0; lane < block.sites; lane += Access::width) {
        set(lane, exact::over_relax(spin(lane), bonds(lane)));
      }
      put_sites(block);
    }

    const ClusterGeometry& g;
    const LocalSweepJob& job;
    Model constants;
    LaneBuffer<Number> neighbour[most_bonds][n], site[n];
    LaneBuffer<float> coupling[most_bonds], field[field_components];
  };
};

}}  // namespace glassworks::cpu

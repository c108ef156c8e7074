#pragma once

#include "kernels/cpu/rows/cluster_kernels.hpp"

namespace glassworks::inline cpu {

/// Local sweeps: sixteen sites of one parity in a row are gathered, updated and put back.
template <class Wide>
struct LocalKernels {
  static void local_sweep(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                          std::int64_t end) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    alignas(64) std::uint32_t word[4][16];
    const int pair = g.dim == 1 ? 1 : 2;
    for (std::int64_t row = begin; row < end; row += pair) {
      if (has_modulus(job.model)) {
        for (std::int64_t r = row; r < row + pair; ++r) sweep_free_modulus(g, job, parity, r);
        continue;
      }
      if (g.dim == 1) {
        for (int first = 0; first < (g.L + 3) / 4; first += 16) {
          Wide::philox(job.random.key, static_cast<std::uint32_t>(first), rest, word);
          for (int member = 0; member < 2; ++member) {
            const int x = 4 * first + 2 * member + parity;
            update(g, job, row, {x, 4, count_of(g.L, x, 4)}, word[2 * member], word[2 * member + 1]);
          }
        }
        continue;
      }
      for (int first = 0; first < g.L / 2; first += 16) {
        Wide::philox(job.random.key, static_cast<std::uint32_t>(row / 2 * (g.L / 2) + first), rest, word);
        for (int member = 0; member < 2; ++member) {
          const int x = 2 * first + ((g.parity[row + member] + parity) & 1);
          update(g, job, row + member, {x, 2, count_of(g.L, x, 2)}, word[2 * member], word[2 * member + 1]);
        }
      }
    }
  }

  static void over_relax(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t begin,
                         std::int64_t end) {
    const int n = components_of(job.model);
    for (std::int64_t row = begin; row < end; ++row) {
      for (int x = (g.parity[row] + parity) & 1; x < g.L; x += 32) {
        const Places places{x, 2, count_of(g.L, x, 2)};
        if (n == 2) over_relax_places<2>(g, job, row, places);
        if (n == 3) over_relax_places<3>(g, job, row, places);
        if (n == 4) over_relax_places<4>(g, job, row, places);
      }
    }
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

  static void update(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                     const std::uint32_t* w0, const std::uint32_t* w1) {
    switch (job.model.kind) {
      case ModelKind::ising:
        return update_ising(g, job, row, places, w0);
      case ModelKind::potts:
        return update_potts(g, job, row, places, w0);
      default:
        break;
    }
    const int n = components_of(job.model);
    if (n == 2) return update_vectors<2>(g, job, row, places, w0, w1);
    if (n == 3) return update_vectors<3>(g, job, row, places, w0, w1);
    update_vectors<4>(g, job, row, places, w0, w1);
  }

  static void update_ising(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                           const std::uint32_t* w0) {
    alignas(64) float h[16] = {};
    alignas(64) std::uint8_t result[16];
    std::int64_t neighbour[16], owner[16];
    site_fields<1>(g, job, row, places, &h);
    for (int axis = 0; axis < g.dim; ++axis) {
      for (int direction = 0; direction < 2; ++direction) {
        neighbours(g, row, places, axis, direction, neighbour, owner);
        const bool first = axis == 0 && direction == 0 && job.fields == nullptr;
        for (int i = 0; i < places.count; ++i) {
          const float J = job.couplings[axis * job.stride + owner[i]];
          const float term = job.states[neighbour[i]] != 0 ? J : -J;
          h[i] = first ? term : exact::add(h[i], term);
        }
      }
    }
    for (int i = 0; i < 16; ++i) result[i] = exact::ising_heat_bath(h[i], job.temperature.minus_two_beta, w0[i]);
    for (int i = 0; i < places.count; ++i) job.states[row * g.L + places.x + i * places.step] = result[i];
  }

  static void update_potts(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                           const std::uint32_t* w0) {
    exact::PottsNeighbours bonds[16] = {};
    std::int64_t neighbour[16], owner[16];
    for (int axis = 0; axis < g.dim; ++axis) {
      for (int direction = 0; direction < 2; ++direction) {
        neighbours(g, row, places, axis, direction, neighbour, owner);
        for (int i = 0; i < places.count; ++i) {
          bonds[i].sigma[bonds[i].count] = job.states[neighbour[i]];
          bonds[i].J[bonds[i].count++] = job.couplings[axis * job.stride + owner[i]];
        }
      }
    }
    for (int i = 0; i < places.count; ++i) {
      job.states[row * g.L + places.x + i * places.step] =
          exact::potts_heat_bath(bonds[i], job.model.states, job.temperature.beta, w0[i]);
    }
  }

  /// H of each place, where there are site fields: what the sum of a local field begins with.
  template <int n>
  static void site_fields(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                          float (*h)[16]) {
    if (job.fields == nullptr) return;
    for (int k = 0; k < n; ++k) {
      const float* H = job.fields + k * job.stride + row * g.L + places.x;
      for (int i = 0; i < places.count; ++i) h[k][i] = H[i * places.step];
    }
  }

  /// Local fields h[component][place] in the order of bonds that defines the chain.
  template <int n>
  static void local_fields(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                           float h[n][16]) {
    std::int64_t neighbour[16], owner[16];
    site_fields<n>(g, job, row, places, h);
    for (int axis = 0; axis < g.dim; ++axis) {
      for (int direction = 0; direction < 2; ++direction) {
        neighbours(g, row, places, axis, direction, neighbour, owner);
        const bool first = axis == 0 && direction == 0 && job.fields == nullptr;
        for (int i = 0; i < places.count; ++i) {
          const float J = job.couplings[axis * job.stride + owner[i]];
          for (int k = 0; k < n; ++k) {
            const float s = job.spins[k * job.stride + neighbour[i]];
            h[k][i] = first ? exact::mul(J, s) : exact::fma(J, s, h[k][i]);
          }
        }
      }
    }
  }

  /// change(spin, field, place) gives the new spin of each place.
  template <int n, class Change>
  static void change_vectors(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                             const Change& change) {
    alignas(64) float h[n][16] = {}, s[n][16] = {};
    local_fields<n>(g, job, row, places, h);
    float* place = job.spins + row * g.L + places.x;
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < places.count; ++i) s[k][i] = place[k * job.stride + i * places.step];
    }
    for (int i = 0; i < 16; ++i) {
      exact::Vector<n> spin, field;
      for (int k = 0; k < n; ++k) {
        spin.c[k] = s[k][i];
        field.c[k] = h[k][i];
      }
      spin = change(spin, field, i);
      for (int k = 0; k < n; ++k) s[k][i] = spin.c[k];
    }
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < places.count; ++i) place[k * job.stride + i * places.step] = s[k][i];
    }
  }

  template <int n>
  static void over_relax_places(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places) {
    change_vectors<n>(g, job, row, places, [](const exact::Vector<n>& s, const exact::Vector<n>& h, int) {
      return exact::over_relax(s, h);
    });
  }

  template <int n>
  static void update_vectors(const ClusterGeometry& g, const LocalSweepJob& job, std::int64_t row, Places places,
                             const std::uint32_t* w0, const std::uint32_t* w1) {
    change_vectors<n>(g, job, row, places, [&](const exact::Vector<n>& s, const exact::Vector<n>& h, int i) {
      return exact::local_update(s, h, job.temperature, job.sweep, w0[i], w1[i]);
    });
  }

  static void sweep_free_modulus(const ClusterGeometry& g, const LocalSweepJob& job, int parity, std::int64_t row) {
    const std::uint32_t rest[3] = {job.random.word1, job.random.word2, job.random.word3};
    alignas(64) std::uint32_t word[4][16];
    const int offset = (g.parity[row] + parity) & 1;
    for (int x = 0; x < g.L; x += 16) {
      Wide::philox(job.random.key, static_cast<std::uint32_t>(row * g.L + x), rest, word);
      const int left = (g.L - x) / 2;
      const Places places{x + offset, 2, left < 8 ? left : 8};
      alignas(64) float h[4][16] = {};
      local_fields<4>(g, job, row, places, h);
      float* place = job.spins + row * g.L + places.x;
      for (int i = 0; i < places.count; ++i) {
        exact::Vector<4> phi, field;
        RandomBlock block;
        for (int k = 0; k < 4; ++k) {
          phi.c[k] = place[k * job.stride + 2 * i];
          field.c[k] = h[k][i];
          block.word[k] = word[k][2 * i + offset];
        }
        const exact::Phi4Move move = exact::phi4_update(phi, field, job.temperature, job.phi4, job.sweep, block);
        for (int k = 0; k < 4; ++k) place[k * job.stride + 2 * i] = move.phi.c[k];
        job.tally->accepted += move.accepted ? 1 : 0;
        job.tally->too_large = job.tally->too_large || move.too_large;
      }
    }
  }
};

}  // namespace glassworks::inline cpu

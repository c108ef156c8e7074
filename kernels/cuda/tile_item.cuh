#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/tile_place.cuh"
#include "kernels/models/unit_vectors.hpp"

namespace glassworks { inline namespace cuda {

/// One thread's share of a tile of one replica: 2 x 2 x 2 spins and their couplings in registers, and the places in
/// shared memory where it shows them and finds its neighbours; see TileShape.
///
/// Memory: how shared memory is reached, by numbers and not by pointers, which would be formed anew in every sweep.
template <class Shape, bool with_fields, class Memory>
class TileItem {
 public:
  static constexpr int components = Shape::components;
  using V = exact::Vector<components>;
  static constexpr int T = Shape::T, half = Shape::half, columns = Shape::columns, stride = Shape::threads;

  /// thread: of the block, below threads_per_item * items.
  __device__ __forceinline__ TileItem(int thread, const int& L, const TileOrigin& origin)
      : thread_(thread), L_(L), origin_(origin) {
    const Place p = place();
    own_ = Memory::address(thread);
    left_ = Memory::address(p.X > 0 ? thread - 1 : thread + half - 1 + Shape::left * stride);
    right_ = Memory::address(p.X < half - 1 ? thread + 1 : thread - half + 1 + Shape::right * stride);
    down_ = Memory::address(p.Y > 0 ? thread - half : thread + columns - half + Shape::down * stride);
    up_ = Memory::address(p.Y < half - 1 ? thread + half : thread - columns + half + Shape::up * stride);
    constexpr int to_far_end = (half - 1) * columns;
    below_ = Memory::address(p.Z > 0 ? thread - columns : thread + to_far_end + Shape::below * stride);
    above_ = Memory::address(p.Z < half - 1 ? thread + columns : thread - to_far_end + Shape::above * stride);
  }

  /// couplings[axis][site], fields[component][site] of the realization.
  __device__ __forceinline__ void load_couplings(const float* couplings, const float* fields) {
    fields_ = fields;
    const Place p = place();
    const float *x_bonds = couplings, *y_bonds = couplings + sites(), *z_bonds = couplings + 2 * sites();
    const int west = p.x > 0 ? p.x - 1 : L_ - 1, south = p.y > 0 ? p.y - 1 : L_ - 1, low = p.z > 0 ? p.z - 1 : L_ - 1;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
#pragma unroll
      for (int d = 0; d < 2; ++d) {
        jx_[k][d][0] = x_bonds[p.at(west, p.y + d, p.z + k)];
        jx_[k][d][1] = x_bonds[p.at(p.x, p.y + d, p.z + k)];
        jx_[k][d][2] = x_bonds[p.at(p.x + 1, p.y + d, p.z + k)];
        jy_[k][d][0] = y_bonds[p.at(p.x + d, south, p.z + k)];
        jy_[k][d][1] = y_bonds[p.at(p.x + d, p.y, p.z + k)];
        jy_[k][d][2] = y_bonds[p.at(p.x + d, p.y + 1, p.z + k)];
      }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      jz_[0][q] = z_bonds[p.at(p.x + (q & 1), p.y + (q >> 1), low)];
      jz_[1][q] = z_bonds[p.site(0, q)];
      jz_[2][q] = z_bonds[p.site(1, q)];
    }
  }

  /// Starts copying this thread's part of the halo to shared memory. spins[component][site]
  __device__ __forceinline__ void fetch_halo(const float* spins) const {
    place().for_halo([&](int word, int site, bool) {
#pragma unroll
      for (int c = 0; c < components; ++c) {
        Memory::copy(Memory::address(word) + offset(c, 0), spins + c * sites() + site);
      }
    });
  }
  __device__ __forceinline__ void load(const float* spins) {
    const Place p = place();
#pragma unroll
    for (int c = 0; c < components; ++c) {
#pragma unroll
      for (int k = 0; k < 2; ++k) {
#pragma unroll
        for (int q = 0; q < 4; q += 2) {
          const float2 pair = *reinterpret_cast<const float2*>(spins + c * sites() + p.site(k, q));
          s_[k][q][c] = pair.x;
          s_[k][q + 1][c] = pair.y;
        }
      }
    }
  }
  __device__ __forceinline__ void store(float* spins) const {
    const Place p = place();
#pragma unroll
    for (int c = 0; c < components; ++c) {
#pragma unroll
      for (int k = 0; k < 2; ++k) {
#pragma unroll
        for (int q = 0; q < 4; q += 2) {
          *reinterpret_cast<float2*>(spins + c * sites() + p.site(k, q)) = {s_[k][q][c], s_[k][q + 1][c]};
        }
      }
    }
  }
  /// Asks for tile and halo of the replica that comes next.
  __device__ __forceinline__ void prefetch(const float* spins) const {
    const Place p = place();
    const auto ask = [&](int site) {
#pragma unroll
      for (int c = 0; c < components; ++c) Memory::prefetch(spins + c * sites() + site);
    };
    if (p.X % 4 == 0) {
#pragma unroll
      for (int i = 0; i < 4; ++i) ask(p.site(i >> 1, 2 * (i & 1)));
    }
    p.for_halo([&](int, int site, bool leads) {
      if (leads) ask(site);
    });
  }

  /// Local fields h[k][i] of the sites of one parity: all loads of a part are on their way before the first is needed.
  template <int parity>
  __device__ __forceinline__ void local_fields(V (&h)[2][2]) const {
    V far_x[2][2], far_y[2][2], far_z[2][2];
    for_sites<parity>([&](int k, int i, int q) {
      far_x[k][i] = read((q & 1) == 0 ? left_ : right_, k, q ^ 1);
      far_y[k][i] = read((q & 2) == 0 ? down_ : up_, k, q ^ 2);
    });
    for_sites<parity>([&](int k, int i, int q) {
      const int dx = q & 1, dy = q >> 1;
      const V beside = spin(k, q ^ 1), before = spin(k, q ^ 2);
      const V east = dx == 0 ? beside : far_x[k][i], west = dx == 1 ? beside : far_x[k][i];
      const float J = jx_[k][dy][dx + 1];
      V sum = with_fields ? exact::add_bond(site_field(k, q), J, east) : exact::first_bond(J, east);
      sum = exact::add_bond(sum, jx_[k][dy][dx], west);
      sum = exact::add_bond(sum, jy_[k][dx][dy + 1], dy == 0 ? before : far_y[k][i]);
      h[k][i] = exact::add_bond(sum, jy_[k][dx][dy], dy == 1 ? before : far_y[k][i]);
    });
    for_sites<parity>([&](int k, int i, int q) { far_z[k][i] = read(k == 1 ? above_ : below_, k ^ 1, q); });
    for_sites<parity>([&](int k, int i, int q) {
      const V inside = spin(k ^ 1, q);
      h[k][i] = exact::add_bond(h[k][i], jz_[k + 1][q], k == 0 ? inside : far_z[k][i]);
      h[k][i] = exact::add_bond(h[k][i], jz_[k][q], k == 1 ? inside : far_z[k][i]);
    });
  }

  template <int parity>
  __device__ __forceinline__ void over_relax() {
    V h[2][2];
    local_fields<parity>(h);
    for_sites<parity>([&](int k, int i, int q) { set(k, q, exact::over_relax(spin(k, q), h[k][i])); });
  }

  /// sweep: number of the local sweep; random: gives the four words of a cell.
  template <int parity, class Random>
  __device__ __forceinline__ void local_updates(const exact::HeatBathTemperature<float>& temperature,
                                                std::uint64_t sweep, Random random) {
    V h[2][2];
    local_fields<parity>(h);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const Place p = place();  // the two sites of a plane are the members of one cell
      const RandomBlock u = random(static_cast<std::uint32_t>(p.x / 2 + L_ / 2 * (p.y / 2 + L_ / 2 * (p.z + k))));
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int q = site_of(parity, k, i);
        set(k, q, exact::local_update(spin(k, q), h[k][i], temperature, sweep, u.word[2 * i], u.word[2 * i + 1]));
      }
    }
  }

  /// Writes the spins of one parity to shared memory.
  template <int parity>
  __device__ __forceinline__ void show() const {
    for_sites<parity>([&](int k, int, int q) {
#pragma unroll
      for (int c = 0; c < components; ++c) Memory::store(own_ + offset(c, Shape::row(k, q)), s_[k][q][c]);
    });
  }

 private:
  /// Formed anew when it is needed: the registers belong to the sweeps.
  using Place = TilePlace<Shape>;
  [[nodiscard]] __device__ __forceinline__ Place place() const { return {Memory::opaque(thread_), L_, origin_}; }

  template <int parity, class Body>
  static __device__ __forceinline__ void for_sites(Body body) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
#pragma unroll
      for (int i = 0; i < 2; ++i) body(k, i, site_of(parity, k, i));
    }
  }
  /// q of the two sites i = 0, 1 of a parity in plane k; site i is member i of the heat-bath cell. Tiles begin at even
  /// sites.
  [[nodiscard]] static constexpr __device__ __forceinline__ int site_of(int parity, int k, int i) {
    return ((k + parity) & 1) != 0 ? 1 + i : 3 * i;
  }
  static __device__ __forceinline__ constexpr unsigned offset(int c, int row) {
    return static_cast<unsigned>(c * Shape::component_stride + row * stride) * 4U;
  }
  [[nodiscard]] static __device__ __forceinline__ V read(unsigned from, int k, int q) {
    const int row = Shape::row(k, q);
    V s;
#pragma unroll
    for (int c = 0; c < components; ++c) s.c[c] = Memory::load(from + offset(c, row));
    return s;
  }

  [[nodiscard]] __device__ __forceinline__ int sites() const { return L_ * L_ * L_; }
  [[nodiscard]] __device__ __forceinline__ V spin(int k, int q) const {
    V s;
#pragma unroll
    for (int c = 0; c < components; ++c) s.c[c] = s_[k][q][c];
    return s;
  }
  [[nodiscard]] __device__ __forceinline__ V site_field(int k, int q) const {
    const int site = place().site(k, q);
    V H;
#pragma unroll
    for (int c = 0; c < components; ++c) H.c[c] = fields_[c * sites() + site];
    return H;
  }
  __device__ __forceinline__ void set(int k, int q, const V& s) {
#pragma unroll
    for (int c = 0; c < components; ++c) s_[k][q][c] = s.c[c];
  }

  float s_[2][4][components];  ///< [plane][q][component]
  /// Bonds to the west (south) of, inside and to the east (north) of the 2 x 2 sites [plane][row (column)][bond].
  float jx_[2][2][3], jy_[2][2][3];
  float jz_[3][4];
  unsigned own_, left_, right_, down_, up_, below_, above_;  ///< in shared memory
  const float* fields_ = nullptr;
  int thread_;
  const int& L_;
  const TileOrigin& origin_;  ///< in shared memory: read when it is needed
};

}}  // namespace glassworks::cuda

#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks {

/// One float of each copy, and its way from and to shared memory. Addresses are numbers in the shared window: pointers
/// would be formed anew in every sweep. The order of these accesses against barriers is kept, because all are volatile.
template <int copies>
struct Pack;
template <>
struct Pack<1> {
  float value;
  [[nodiscard]] __device__ __forceinline__ float get(int) const { return value; }
  __device__ __forceinline__ void put(int, float x) { value = x; }
  static __device__ __forceinline__ Pack load(unsigned address) {
    Pack p;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(p.value) : "r"(address));
    return p;
  }
  static __device__ __forceinline__ Pack load_remote(unsigned address) {
    Pack p;
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(p.value) : "r"(address));
    return p;
  }
  __device__ __forceinline__ void store(unsigned address) const {
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
  }
  __device__ __forceinline__ void store_remote(unsigned address) const {
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(address), "f"(value) : "memory");
  }
};
template <>
struct Pack<2> {
  float a, b;
  [[nodiscard]] __device__ __forceinline__ float get(int copy) const { return copy == 0 ? a : b; }
  __device__ __forceinline__ void put(int copy, float x) { (copy == 0 ? a : b) = x; }
  static __device__ __forceinline__ Pack load(unsigned address) {
    Pack p;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(p.a), "=f"(p.b) : "r"(address));
    return p;
  }
  static __device__ __forceinline__ Pack load_remote(unsigned address) {
    Pack p;
    asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(p.a), "=f"(p.b) : "r"(address));
    return p;
  }
  __device__ __forceinline__ void store(unsigned address) const {
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(a), "f"(b) : "memory");
  }
  __device__ __forceinline__ void store_remote(unsigned address) const {
    asm volatile("st.shared::cluster.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(a), "f"(b) : "memory");
  }
};

/// One thread's share of a work item in the resident kernel: 2 x 2 x depth sites of its copies in registers, and the
/// places in shared memory where it shows them and finds its neighbours.
template <class Shape, bool with_fields>
class ResidentItem {
 public:
  using V = exact::Vector3<float>;
  using Value = Pack<Shape::copies>;
  static constexpr int depth = Shape::depth, half = Shape::half, columns = Shape::columns, L = Shape::L;
  static constexpr int copies = Shape::copies;
  static constexpr int sites = L * L * L;

  /// thread: inside the item
  __device__ __forceinline__ ResidentItem(int thread, int rank)
      : column_(thread % columns), chunk_(thread / columns), rank_(rank), X_(column_ % half), Y_(column_ / half) {}

  /// To be called before addresses in device memory are formed: keeps them from being held in registers (or spilled)
  /// while the sweeps run.
  __device__ __forceinline__ void forget_addresses() {
    asm volatile("" : "+r"(X_), "+r"(Y_), "+r"(column_), "+r"(chunk_));
  }

  /// Sets the addresses for a buffer that begins `buffer` packs behind the start of the dynamic shared memory.
  __device__ __forceinline__ void use(int buffer) {
    constexpr int stride = Shape::chunk_stride, last_plane = (depth - 1) * 4 * columns;
    const int left = Y_ * half + (X_ + half - 1) % half, right = Y_ * half + (X_ + 1) % half;
    const int down = (Y_ + half - 1) % half * half + X_, up = (Y_ + 1) % half * half + X_;
    const int chunk = buffer + chunk_ * stride;
    own_ = address(chunk + column_);
    left_ = address(chunk + left);
    right_ = address(chunk + right);
    down_ = address(chunk + down);
    up_ = address(chunk + up);
    const bool top = chunk_ == Shape::chunks - 1, bottom = chunk_ == 0;
    int above = buffer + (top ? 0 : chunk_ + 1) * stride + column_;
    int below = buffer + (bottom ? Shape::chunks - 1 : chunk_ - 1) * stride + last_plane + column_;
    if constexpr (Shape::ghosts) {  // extra chunk: its first plane belongs to the slab above, its last to the one below
      const int ghost = buffer + Shape::chunks * stride + column_;
      if (top) above = ghost;
      if (bottom) below = ghost + last_plane;
      ghost_above_ = remote(ghost + last_plane, +1);
      ghost_below_ = remote(ghost, -1);
    }
    above_ = pulls ? remote(above, top ? +1 : 0) : address(above);
    below_ = pulls ? remote(below, bottom ? -1 : 0) : address(below);
  }

  /// Starts copying the item's spins to shared memory; each thread copies what it will read itself. spins[copy] points
  /// to [component][site].
  __device__ __forceinline__ void prefetch(int buffer, const float* const (&spins)[copies]) const {
    const unsigned to = address(buffer + chunk_ * Shape::chunk_stride + column_);
    for_each([&](int c, int k, int q) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        const unsigned place = to + offset(c, 4 * k + q) + 4U * copy;
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(spins[copy] + c * sites + site(k, q))
                     : "memory");
      }
    });
  }
  __device__ __forceinline__ void take_prefetched() {
    asm volatile("cp.async.wait_all;" ::: "memory");
    for_each([&](int c, int k, int q) { s_[k][q][c] = Value::load(own_ + offset(c, 4 * k + q)); });
    if constexpr (Shape::ghosts) {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        show_neighbours(0, q);
        show_neighbours(depth - 1, q);
      }
    }
  }

  __device__ __forceinline__ void store(float* const (&spins)[copies]) const {
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
#pragma unroll
      for (int c = 0; c < 3; ++c) {
#pragma unroll
        for (int k = 0; k < depth; ++k) {
#pragma unroll
          for (int q = 0; q < 4; q += 2) {
            *reinterpret_cast<float2*>(spins[copy] + c * sites + site(k, q)) = {s_[k][q][c].get(copy),
                                                                                s_[k][q + 1][c].get(copy)};
          }
        }
      }
    }
  }

  /// couplings[axis][site], fields[component][site] of the item's realization.
  __device__ __forceinline__ void load_couplings(const float* couplings, const float* fields) {
    fields_ = fields;
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      const int z0 = z() + k;
#pragma unroll
      for (int d = 0; d < 2; ++d) {
        jx_[k][d][0] = couplings[at((2 * X_ + L - 1) % L, 2 * Y_ + d, z0)];
        jx_[k][d][1] = couplings[at(2 * X_, 2 * Y_ + d, z0)];
        jx_[k][d][2] = couplings[at(2 * X_ + 1, 2 * Y_ + d, z0)];
        jy_[k][d][0] = couplings[sites + at(2 * X_ + d, (2 * Y_ + L - 1) % L, z0)];
        jy_[k][d][1] = couplings[sites + at(2 * X_ + d, 2 * Y_, z0)];
        jy_[k][d][2] = couplings[sites + at(2 * X_ + d, 2 * Y_ + 1, z0)];
      }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      jz_[0][q] = couplings[2 * sites + at(2 * X_ + (q & 1), 2 * Y_ + (q >> 1), (z() + L - 1) % L)];
#pragma unroll
      for (int k = 0; k < depth; ++k) jz_[k + 1][q] = couplings[2 * sites + site(k, q)];
    }
  }

  /// Local fields of all copies at a site; order of the bonds as everywhere: x+, x-, y+, y-, z+, z-.
  __device__ __forceinline__ void local_fields(int k, int q, V (&h)[copies]) const {
    const int dx = q & 1, dy = q >> 1;
    if constexpr (with_fields) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) h[copy] = site_field(k, q);
    }
    const auto bond = [&](float J, const Value& x, const Value& y, const Value& z, bool first = false) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) {
        const V s{x.get(copy), y.get(copy), z.get(copy)};
        h[copy] = first ? exact::first_bond(J, s) : exact::add_bond(h[copy], J, s);
      }
    };
    const auto mine = [&](float J, int plane, int other, bool first = false) {
      bond(J, s_[plane][other][0], s_[plane][other][1], s_[plane][other][2], first);
    };
    const auto theirs = [&](float J, unsigned base, int place, bool first = false) {
      bond(J, Value::load(base + offset(0, place)), Value::load(base + offset(1, place)),
           Value::load(base + offset(2, place)), first);
    };
    const auto slab = [&](float J, unsigned base, int place) {
      if constexpr (pulls) {
        bond(J, Value::load_remote(base + offset(0, place)), Value::load_remote(base + offset(1, place)),
             Value::load_remote(base + offset(2, place)));
      } else {
        theirs(J, base, place);
      }
    };
    dx == 0 ? mine(jx_[k][dy][1], k, q + 1, !with_fields) : theirs(jx_[k][dy][2], right_, 4 * k + q - 1, !with_fields);
    dx == 1 ? mine(jx_[k][dy][1], k, q - 1) : theirs(jx_[k][dy][0], left_, 4 * k + q + 1);
    dy == 0 ? mine(jy_[k][dx][1], k, q + 2) : theirs(jy_[k][dx][2], up_, 4 * k + q - 2);
    dy == 1 ? mine(jy_[k][dx][1], k, q - 2) : theirs(jy_[k][dx][0], down_, 4 * k + q + 2);
    k + 1 < depth ? mine(jz_[k + 1][q], k + 1, q) : slab(jz_[k + 1][q], above_, q);
    k > 0 ? mine(jz_[k][q], k - 1, q) : slab(jz_[k][q], below_, q);
  }

  [[nodiscard]] __device__ __forceinline__ V spin(int k, int q, int copy) const {
    return {s_[k][q][0].get(copy), s_[k][q][1].get(copy), s_[k][q][2].get(copy)};
  }
  [[nodiscard]] __device__ __forceinline__ V site_field(int k, int q) const {
    return {fields_[site(k, q)], fields_[sites + site(k, q)], fields_[2 * sites + site(k, q)]};
  }
  /// New spins of all copies; the neighbours see them after `show`.
  __device__ __forceinline__ void set(int k, int q, const V (&spins)[copies]) {
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      s_[k][q][0].put(copy, spins[copy].x);
      s_[k][q][1].put(copy, spins[copy].y);
      s_[k][q][2].put(copy, spins[copy].z);
    }
  }
  /// Writes the spins of one parity to shared memory. Apart from their computation, so that the loads of all sites of a
  /// half-sweep may run ahead of the stores.
  template <int parity>
  __device__ __forceinline__ void show() {
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int q = site_of(parity, k, i);
#pragma unroll
        for (int c = 0; c < 3; ++c) s_[k][q][c].store(own_ + offset(c, 4 * k + q));
        if constexpr (Shape::ghosts) show_neighbours(k, q);
      }
    }
  }

  /// q of the two sites i = 0, 1 of a parity in plane k; site i is member i of the heat-bath cell.
  [[nodiscard]] static constexpr __device__ __forceinline__ int site_of(int parity, int k, int i) {
    return ((k + parity) & 1) != 0 ? 1 + i : 3 * i;
  }

  /// Heat-bath cell of the two sites of one parity in plane k.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t cell(int k) const {
    return static_cast<std::uint32_t>(column_ + columns * (z() + k));
  }

 private:
  static constexpr bool pulls = Shape::blocks > 1 && !Shape::ghosts;

  /// First of the planes that the thread holds.
  [[nodiscard]] __device__ __forceinline__ int z() const { return rank_ * Shape::planes + chunk_ * depth; }
  static __device__ __forceinline__ int at(int x, int y, int z) { return x + L * (y + L * z); }
  [[nodiscard]] __device__ __forceinline__ int site(int k, int q) const {
    return at(2 * X_ + (q & 1), 2 * Y_ + (q >> 1), z() + k);
  }

  /// Distance of component c of a site from its thread's address; place = 4 (plane in chunk) + q.
  static __device__ __forceinline__ constexpr unsigned offset(int c, int place) {
    return static_cast<unsigned>((c * Shape::component_stride + place * columns) * static_cast<int>(sizeof(Value)));
  }
  static __device__ __forceinline__ unsigned address(int packs) {
    extern __shared__ float2 shared_spins[];
    return static_cast<unsigned>(__cvta_generic_to_shared(shared_spins)) +
           static_cast<unsigned>(packs * static_cast<int>(sizeof(Value)));
  }
  /// The same place in the shared memory of the block `shift` slabs above.
  [[nodiscard]] __device__ __forceinline__ unsigned remote(int packs, int shift) const {
    unsigned result = 0;
    if constexpr (Shape::blocks > 1) {
      asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                   : "=r"(result)
                   : "r"(address(packs)), "r"((rank_ + shift + Shape::blocks) % Shape::blocks));
    }
    return result;
  }
  template <class Body>
  static __device__ __forceinline__ void for_each(Body body) {
#pragma unroll
    for (int c = 0; c < 3; ++c) {
#pragma unroll
      for (int k = 0; k < depth; ++k) {
#pragma unroll
        for (int q = 0; q < 4; ++q) body(c, k, q);
      }
    }
  }

  /// Boundary planes of the slab go to the copies that the neighbouring blocks keep.
  __device__ __forceinline__ void show_neighbours(int k, int q) {
    if (k == depth - 1 && chunk_ == Shape::chunks - 1) {
#pragma unroll
      for (int c = 0; c < 3; ++c) s_[k][q][c].store_remote(ghost_above_ + offset(c, q));
    }
    if (k == 0 && chunk_ == 0) {
#pragma unroll
      for (int c = 0; c < 3; ++c) s_[k][q][c].store_remote(ghost_below_ + offset(c, q));
    }
  }

  Value s_[depth][4][3];                     ///< [plane][q][component]
  float jx_[depth][2][3], jy_[depth][2][3];  ///< bonds to the west of, inside and to the east of the 2 x 2 sites
  float jz_[depth + 1][4];
  const float* fields_ = nullptr;
  int column_, chunk_, rank_, X_, Y_;
  unsigned own_ = 0, left_ = 0, right_ = 0, down_ = 0, up_ = 0, above_ = 0, below_ = 0;  ///< in shared memory
  unsigned ghost_above_ = 0, ghost_below_ = 0;  ///< in that of the neighbouring blocks
};

}  // namespace glassworks

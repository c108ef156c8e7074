#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/resident_pack.cuh"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks {

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

  /// Where a thread's sites are. Formed anew when it is needed: the registers belong to the sweeps.
  struct Place {
    int column, chunk, rank, X, Y;

    __device__ __forceinline__ explicit Place(int thread) {
      asm volatile("" : "+r"(thread));
      column = thread % columns;
      chunk = thread / columns % Shape::chunks;
      rank = Shape::blocks > 1 ? static_cast<int>(blockIdx.x) % Shape::blocks : 0;
      X = column % half;
      Y = column / half;
    }
    /// First of the planes.
    [[nodiscard]] __device__ __forceinline__ int z() const { return rank * Shape::planes + chunk * depth; }
    /// First site, counted in the slab.
    [[nodiscard]] __device__ __forceinline__ int in_slab() const { return at(2 * X, 2 * Y, chunk * depth); }
    [[nodiscard]] __device__ __forceinline__ int site(int k, int q) const {
      return at(2 * X + (q & 1), 2 * Y + (q >> 1), z() + k);
    }
  };
  /// thread: of the block, below threads_per_item * items; mute: a thread without sites, which shall write nothing.
  __device__ __forceinline__ ResidentItem(int thread, bool mute) : thread_(thread), mute_(mute) {}

  /// Sets the addresses for a buffer that begins `buffer` packs behind the start of the dynamic shared memory.
  __device__ __forceinline__ void use(int buffer) {
    constexpr int stride = Shape::chunk_stride, last_plane = (depth - 1) * 4 * columns;
    const Place p(thread_);
    const int chunk = buffer + p.chunk * stride;
    own_ = address(chunk + p.column);
    left_ = address(chunk + p.Y * half + (p.X + half - 1) % half);
    right_ = address(chunk + p.Y * half + (p.X + 1) % half);
    down_ = address(chunk + (p.Y + half - 1) % half * half + p.X);
    up_ = address(chunk + (p.Y + 1) % half * half + p.X);
    const bool top = p.chunk == Shape::chunks - 1, bottom = p.chunk == 0;
    int above = buffer + (top ? 0 : p.chunk + 1) * stride + p.column;
    int below = buffer + (bottom ? Shape::chunks - 1 : p.chunk - 1) * stride + last_plane + p.column;
    above_ = in_cluster ? remote(above, p.rank + (top ? 1 : 0)) : address(above);
    below_ = in_cluster ? remote(below, p.rank - (bottom ? 1 : 0)) : address(below);
  }

  /// Starts copying the slab's spins of a copy, [component][site], to shared memory at `to`: 16 bytes at a time by all
  /// threads of the item, past the first cache, which may hold what another block has replaced since.
  __device__ __forceinline__ void fetch_spins(unsigned to, const float* spins) const {
    const float* slab = spins + rank() * Shape::slab_sites;
#pragma unroll
    for (int c = 0; c < 3; ++c) copy_range<Shape::slab_sites>(to + 4U * c * Shape::slab_sites, slab + c * sites);
  }
  /// The same for its couplings, [axis][site], and those along z of the plane below.
  __device__ __forceinline__ void fetch_couplings(unsigned to, const float* couplings) const {
    fetch_spins(to, couplings);
    const int below = (rank() * Shape::planes + L - 1) % L;
    copy_range<L * L>(to + 12U * Shape::slab_sites, couplings + 2 * sites + below * L * L);
  }
  /// Takes the spins that have come in, and shows them.
  __device__ __forceinline__ void take_spins(unsigned from) {
    const Place p(thread_);
    from += 4U * static_cast<unsigned>(p.in_slab());
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
#pragma unroll
      for (int c = 0; c < 3; ++c) {
#pragma unroll
        for (int k = 0; k < depth; ++k) {
#pragma unroll
          for (int q = 0; q < 4; q += 2) {
            const Pack<2> pair =
                Pack<2>::load(from + 4U * static_cast<unsigned>((3 * copy + c) * Shape::slab_sites + inside(k, q)));
            s_[k][q][c].put(copy, pair.a);
            s_[k][q + 1][c].put(copy, pair.b);
          }
        }
      }
    }
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int q = 0; q < 4; ++q) show(k, q);
    }
  }
  __device__ __forceinline__ void take_couplings(unsigned from, const float* fields) {
    fields_ = fields;
    const Place p(thread_);
    constexpr int slab = Shape::slab_sites;
    const int here = p.in_slab();
    const int west = here + (p.X == 0 ? L - 1 : -1), south = here + (p.Y == 0 ? L * (L - 1) : -L);
    const int below = p.chunk > 0 ? 2 * slab + here - L * L : 3 * slab + 2 * p.X + L * 2 * p.Y;
    const auto at = [&](int place) { return Pack<1>::load(from + 4U * static_cast<unsigned>(place)).value; };
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int d = 0; d < 2; ++d) {
        jx_[k][d][0] = at(west + inside(k, 2 * d));
        jx_[k][d][1] = at(here + inside(k, 2 * d));
        jx_[k][d][2] = at(here + inside(k, 2 * d + 1));
        jy_[k][d][0] = at(slab + south + inside(k, d));
        jy_[k][d][1] = at(slab + here + inside(k, d));
        jy_[k][d][2] = at(slab + here + inside(k, d + 2));
      }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      jz_[0][q] = at(below + inside(0, q));
#pragma unroll
      for (int k = 0; k < depth; ++k) jz_[k + 1][q] = at(2 * slab + here + inside(k, q));
    }
  }

  __device__ __forceinline__ void store(float* const (&spins)[copies]) const {
    const Place p(thread_);
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      float* to = spins[copy] + p.site(0, 0);
#pragma unroll
      for (int c = 0; c < 3; ++c) {
#pragma unroll
        for (int k = 0; k < depth; ++k) {
#pragma unroll
          for (int q = 0; q < 4; q += 2) {
            *reinterpret_cast<float2*>(to + c * sites + inside(k, q)) = {s_[k][q][c].get(copy),
                                                                         s_[k][q + 1][c].get(copy)};
          }
        }
      }
    }
  }

  /// Neighbours of a site that other threads hold, on their way from shared memory.
  struct Far {
    Value x[3], y[3], above[3], below[3];
  };
  /// A site's number among the 2 depth sites of its parity, for unrolled loops.
  static constexpr int sites_of_parity = 2 * depth;

  __device__ __forceinline__ void load_in_plane(int k, int q, Far& far) const {
#pragma unroll
    for (int c = 0; c < 3; ++c) far.x[c] = Value::load(((q & 1) == 0 ? left_ : right_) + offset(c, 4 * k + (q ^ 1)));
#pragma unroll
    for (int c = 0; c < 3; ++c) far.y[c] = Value::load(((q & 2) == 0 ? down_ : up_) + offset(c, 4 * k + (q ^ 2)));
  }
  __device__ __forceinline__ void load_across(int k, int q, Far& far) const {
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      if (k + 1 == depth) far.above[c] = load_slab(above_ + offset(c, q));
      if (k == 0) far.below[c] = load_slab(below_ + offset(c, q));
    }
  }
  /// Local fields of all copies, first part: site field and the bonds x+, x-, y+, y-, in this order.
  __device__ __forceinline__ void add_in_plane(int k, int q, const Far& far, V (&h)[copies]) const {
    const int dx = q & 1, dy = q >> 1;
    if constexpr (with_fields) {
#pragma unroll
      for (int copy = 0; copy < copies; ++copy) h[copy] = site_field(k, q);
    }
    const Value(&beside)[3] = s_[k][q ^ 1], (&before)[3] = s_[k][q ^ 2];
    bond<!with_fields>(h, jx_[k][dy][dx + 1], dx == 0 ? beside : far.x);
    bond(h, jx_[k][dy][dx], dx == 1 ? beside : far.x);
    bond(h, jy_[k][dx][dy + 1], dy == 0 ? before : far.y);
    bond(h, jy_[k][dx][dy], dy == 1 ? before : far.y);
  }
  /// Second part: the bonds z+, z-.
  __device__ __forceinline__ void add_across(int k, int q, const Far& far, V (&h)[copies]) const {
    bond(h, jz_[k + 1][q], k + 1 < depth ? s_[(k + 1) % depth][q] : far.above);
    bond(h, jz_[k][q], k > 0 ? s_[(k + depth - 1) % depth][q] : far.below);
  }

  [[nodiscard]] __device__ __forceinline__ V spin(int k, int q, int copy) const {
    return {s_[k][q][0].get(copy), s_[k][q][1].get(copy), s_[k][q][2].get(copy)};
  }
  [[nodiscard]] __device__ __forceinline__ V site_field(int k, int q) const {
    const int site = Place(thread_).site(k, q);
    return {fields_[site], fields_[sites + site], fields_[2 * sites + site]};
  }
  /// New spins of all copies; the others see them after `show`.
  __device__ __forceinline__ void set(int k, int q, const V (&spins)[copies]) {
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      s_[k][q][0].put(copy, spins[copy].x);
      s_[k][q][1].put(copy, spins[copy].y);
      s_[k][q][2].put(copy, spins[copy].z);
    }
  }
  /// Writes the spins of a site to shared memory, where the other threads find them.
  __device__ __forceinline__ void show(int k, int q) {
    if (mute_) return;
#pragma unroll
    for (int c = 0; c < 3; ++c) s_[k][q][c].store(own_ + offset(c, 4 * k + q));
  }

  /// Calls body(k, i, q) for the sites of a parity: plane, number in the plane, place in the 2 x 2 sites.
  template <int parity, class Body>
  static __device__ __forceinline__ void for_sites(Body body) {
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int i = 0; i < 2; ++i) body(k, i, site_of(parity, k, i));
    }
  }

  /// q of the two sites i = 0, 1 of a parity in plane k; site i is member i of the heat-bath cell.
  [[nodiscard]] static constexpr __device__ __forceinline__ int site_of(int parity, int k, int i) {
    return ((k + parity) & 1) != 0 ? 1 + i : 3 * i;
  }

  /// Heat-bath cell of the two sites of one parity in plane k.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t cell(int k) const {
    const Place p(thread_);
    return static_cast<std::uint32_t>(p.column + columns * (p.z() + k));
  }

  /// Address of the dynamic shared memory, `packs` packs behind its start.
  static __device__ __forceinline__ unsigned address(int packs) {
    extern __shared__ float4 shared_spins[];
    return static_cast<unsigned>(__cvta_generic_to_shared(shared_spins)) +
           static_cast<unsigned>(packs * static_cast<int>(sizeof(Value)));
  }

 private:
  static constexpr bool in_cluster = Shape::blocks > 1;

  static __device__ __forceinline__ int at(int x, int y, int z) { return x + L * (y + L * z); }
  /// Distance of a site from the first of its thread.
  static __device__ __forceinline__ constexpr int inside(int k, int q) { return (q & 1) + L * ((q >> 1) + L * k); }
  static __device__ __forceinline__ int rank() {
    return Shape::blocks > 1 ? static_cast<int>(blockIdx.x) % Shape::blocks : 0;
  }
  template <int count>
  __device__ __forceinline__ void copy_range(unsigned to, const float* from) const {
    static_assert(count % 4 == 0);
    const int first = thread_ % Shape::threads_per_item;
#pragma unroll
    for (int begin = 0; begin < count / 4; begin += Shape::threads_per_item) {
      const int i = begin + first;
      if (begin + Shape::threads_per_item <= count / 4 || i < count / 4) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + 16U * static_cast<unsigned>(i)),
                     "l"(from + 4 * i)
                     : "memory");
      }
    }
  }
  /// Distance of component c of a site from its thread's address; place = 4 (plane in chunk) + q.
  static __device__ __forceinline__ constexpr unsigned offset(int c, int place) {
    return static_cast<unsigned>((c * Shape::component_stride + place * columns) * static_cast<int>(sizeof(Value)));
  }
  /// The same place in the shared memory of another block of the cluster, counted around.
  [[nodiscard]] static __device__ __forceinline__ unsigned remote(int packs, int rank) {
    unsigned result = 0;
    if constexpr (Shape::blocks > 1) {
      asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                   : "=r"(result)
                   : "r"(address(packs)), "r"((rank + Shape::blocks) % Shape::blocks));
    }
    return result;
  }
  template <bool first = false>
  static __device__ __forceinline__ void bond(V (&h)[copies], float J, const Value (&s)[3]) {
#pragma unroll
    for (int copy = 0; copy < copies; ++copy) {
      const V spin{s[0].get(copy), s[1].get(copy), s[2].get(copy)};
      h[copy] = first ? exact::first_bond(J, spin) : exact::add_bond(h[copy], J, spin);
    }
  }
  static __device__ __forceinline__ Value load_slab(unsigned address) {
    return in_cluster ? Value::load_remote(address) : Value::load(address);
  }
  Value s_[depth][4][3];                     ///< [plane][q][component]
  float jx_[depth][2][3], jy_[depth][2][3];  ///< bonds to the west of, inside and to the east of the 2 x 2 sites
  float jz_[depth + 1][4];
  const float* fields_ = nullptr;
  int thread_;
  bool mute_;
  unsigned own_ = 0, left_ = 0, right_ = 0, down_ = 0, up_ = 0, above_ = 0, below_ = 0;  ///< in shared memory
};

}  // namespace glassworks

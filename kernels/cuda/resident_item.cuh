#pragma once

#include "kernels/cuda/device_batch.hpp"
#include "kernels/cuda/resident_shape.hpp"
#include "kernels/cuda/shared_memory.cuh"

namespace glassworks { inline namespace cuda {

/// One thread's share of a work item in the resident kernel: 2 x 2 x depth sites in registers with their couplings, and
/// the places in shared memory where it shows them and finds its neighbours.
template <class Shape, bool with_fields>
class ResidentItem {
 public:
  using V = exact::Vector<Shape::components>;
  static constexpr int components = Shape::components;
  static constexpr int depth = Shape::depth, half = Shape::half, columns = Shape::columns, L = Shape::L;
  static constexpr int sites = L * L * L;

  /// Where a thread's sites are. Formed anew when it is needed: the registers belong to the sweeps.
  struct Place {
    int column, chunk, rank, X, Y;

    __device__ __forceinline__ explicit Place(int thread) {
      asm volatile("" : "+r"(thread));
      column = thread % columns;
      chunk = thread / columns % Shape::chunks;
      rank = rank_in_cluster<Shape>();
      X = column % half;
      Y = column / half;
    }
    /// First of the planes.
    [[nodiscard]] __device__ __forceinline__ int z() const { return rank * Shape::planes + chunk * depth; }
    [[nodiscard]] __device__ __forceinline__ int site(int k, int q) const {
      return 2 * X + (q & 1) + L * (2 * Y + (q >> 1) + L * (z() + k));
    }
  };
  /// thread: of the block, below threads_per_item * items; mute: a thread without sites, which shall write nothing.
  __device__ __forceinline__ ResidentItem(int thread, bool mute) : thread_(thread), mute_(mute) {}

  /// Sets the addresses for an item whose slab begins at `first`.
  __device__ __forceinline__ void use(unsigned first) {
    constexpr int stride = Shape::chunk_stride, last_plane = (depth - 1) * 4 * columns;
    const Place p(thread_);
    const int chunk = p.chunk * stride;
    const bool top = p.chunk == Shape::chunks - 1, bottom = p.chunk == 0;
    const auto set = [&](Places& places, unsigned begin, unsigned bytes) {
      const auto at = [&](int site) { return begin + bytes * static_cast<unsigned>(site); };
      places.own = at(chunk + p.column);
      places.left = at(chunk + p.Y * half + (p.X + half - 1) % half);
      places.right = at(chunk + p.Y * half + (p.X + 1) % half);
      places.down = at(chunk + (p.Y + half - 1) % half * half + p.X);
      places.up = at(chunk + (p.Y + 1) % half * half + p.X);
      places.above = at((top ? 0 : p.chunk + 1) * stride + p.column);
      places.below = at((bottom ? Shape::chunks - 1 : p.chunk - 1) * stride + last_plane + p.column);
      if constexpr (in_cluster) {
        places.above = shared_memory::in_block(places.above, (p.rank + (top ? 1 : 0)) % Shape::blocks);
        places.below =
            shared_memory::in_block(places.below, (p.rank + Shape::blocks - (bottom ? 1 : 0)) % Shape::blocks);
      }
    };
    if constexpr (has_single) set(single_, first + 8U * static_cast<unsigned>(pairs * Shape::component_stride), 4U);
    if constexpr (pairs > 0) set(pair_, first, 8U);
  }
  /// Moves all addresses.
  __device__ __forceinline__ void move(unsigned bytes) {
    if constexpr (has_single) single_.move(bytes);
    if constexpr (pairs > 0) pair_.move(bytes);
  }
  /// Where this thread's couplings go that are not in registers.
  __device__ __forceinline__ void keep_couplings_at(unsigned address) { couplings_ = address; }

  /// Takes the spins of this thread from shared memory.
  __device__ __forceinline__ void take_spins() {
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        load<false>(&Places::own, 4 * k + q, s_[k][q]);
      }
    }
  }
  /// couplings: of a slab of a realization, in the order of resident_order.hpp
  __device__ __forceinline__ void take_couplings(const float* couplings) {
    const auto* from = reinterpret_cast<const float4*>(couplings) + thread_ % Shape::threads_per_item;
#pragma unroll
    for (int n = 0; n < Shape::couplings / 4; ++n) {
      const float4 four = __ldg(from + n * Shape::threads_per_item);
      j_[4 * n] = four.x;
      j_[4 * n + 1] = four.y;
      j_[4 * n + 2] = four.z;
      j_[4 * n + 3] = four.w;
    }
    if constexpr (Shape::shared_couplings > 0) {
#pragma unroll
      for (int n = 0; n < Shape::shared_couplings; ++n) {
        shared_memory::store(couplings_ + outer_coupling(n), j_[n / 2 * 3 + n % 2 * 2]);
      }
    }
  }
  __device__ __forceinline__ void take_fields(const float* fields) { fields_ = fields; }

  /// Neighbours of a site that other threads hold, on their way from shared memory; with the couplings to x and y.
  struct Far {
    float x[components], y[components], above[components], below[components], j_x, j_y;
  };
  /// A site's number among the 2 depth sites of its parity, for unrolled loops.
  static constexpr int sites_of_parity = 2 * depth;

  __device__ __forceinline__ void load_in_plane(int k, int q, Far& far) const {
    load<false>((q & 1) == 0 ? &Places::left : &Places::right, 4 * k + (q ^ 1), far.x);
    if constexpr (Shape::shared_couplings > 0) {
      far.j_x = shared_memory::load(couplings_ + outer_coupling(4 * k + 2 * (q >> 1) + (q & 1)));
    } else {
      far.j_x = j_x(k, q >> 1, 2 * (q & 1));
    }
    load<false>((q & 2) == 0 ? &Places::down : &Places::up, 4 * k + (q ^ 2), far.y);
    if constexpr (Shape::shared_axes > 1) {
      far.j_y = shared_memory::load(couplings_ + outer_coupling(4 * depth + 4 * k + 2 * (q & 1) + (q >> 1)));
    } else {
      far.j_y = j_y(k, q & 1, 2 * (q >> 1));
    }
  }
  __device__ __forceinline__ void load_across(int k, int q, Far& far) const {
    if (k + 1 == depth) load<in_cluster>(&Places::above, q, far.above);
    if (k == 0) load<in_cluster>(&Places::below, q, far.below);
  }
  /// Local field, first part: site field and the bonds x+, x-, y+, y-, in this order.
  [[nodiscard]] __device__ __forceinline__ V add_in_plane(int k, int q, const Far& far) const {
    const int dx = q & 1, dy = q >> 1;
    const float j_inside = j_x(k, dy, 1), j_right = dx == 0 ? j_inside : far.j_x, j_left = dx == 1 ? j_inside : far.j_x;
    const float(&beside)[components] = s_[k][q ^ 1], (&before)[components] = s_[k][q ^ 2];
    const V right = vector(dx == 0 ? beside : far.x), left = vector(dx == 1 ? beside : far.x);
    V h;
    if constexpr (with_fields) {
      h = exact::add_bond(site_field(k, q), j_right, right);
    } else if constexpr (components == 1) {
      h = exact::add_bond(V{{0.0F}}, j_right, right);  // a sum of zeros is +0
    } else {
      h = exact::first_bond(j_right, right);
    }
    h = exact::add_bond(h, j_left, left);
    const float j_between = j_y(k, dx, 1), j_up = dy == 0 ? j_between : far.j_y, j_down = dy == 1 ? j_between : far.j_y;
    h = exact::add_bond(h, j_up, vector(dy == 0 ? before : far.y));
    return exact::add_bond(h, j_down, vector(dy == 1 ? before : far.y));
  }
  /// Second part: the bonds z+, z-.
  [[nodiscard]] __device__ __forceinline__ V add_across(int k, int q, const Far& far, V h) const {
    h = exact::add_bond(h, j_z(k + 1, q), vector(k + 1 < depth ? s_[(k + 1) % depth][q] : far.above));
    return exact::add_bond(h, j_z(k, q), vector(k > 0 ? s_[(k + depth - 1) % depth][q] : far.below));
  }

  /// visit(J, neighbour) for all bonds of a site.
  template <class Visit>
  __device__ __forceinline__ void for_each_bond(int k, int q, const Far& far, const Visit& visit) const {
    const int dx = q & 1, dy = q >> 1;
    const float j_inside = j_x(k, dy, 1);
    const float(&beside)[components] = s_[k][q ^ 1], (&before)[components] = s_[k][q ^ 2];
    visit(dx == 0 ? j_inside : far.j_x, vector(dx == 0 ? beside : far.x));
    visit(dx == 1 ? j_inside : far.j_x, vector(dx == 1 ? beside : far.x));
    const float j_between = j_y(k, dx, 1);
    visit(dy == 0 ? j_between : far.j_y, vector(dy == 0 ? before : far.y));
    visit(dy == 1 ? j_between : far.j_y, vector(dy == 1 ? before : far.y));
    visit(j_z(k + 1, q), vector(k + 1 < depth ? s_[(k + 1) % depth][q] : far.above));
    visit(j_z(k, q), vector(k > 0 ? s_[(k + depth - 1) % depth][q] : far.below));
  }

  [[nodiscard]] __device__ __forceinline__ V spin(int k, int q) const { return vector(s_[k][q]); }
  [[nodiscard]] __device__ __forceinline__ V site_field(int k, int q) const {
    const int site = Place(thread_).site(k, q);
    V field;
#pragma unroll
    for (int c = 0; c < components; ++c) field.c[c] = fields_[c * sites + site];
    return field;
  }
  /// A new spin, which the other threads find in shared memory.
  __device__ __forceinline__ void set(int k, int q, const V& spin) {
#pragma unroll
    for (int c = 0; c < components; ++c) s_[k][q][c] = spin.c[c];
    if (mute_) return;
    const int place = 4 * k + q;
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
      shared_memory::store(pair_.own + pair_offset(p, place), spin.c[2 * p], spin.c[2 * p + 1]);
    }
#pragma unroll
    for (int c = 2 * pairs; c < components; ++c) {
      shared_memory::store(single_.own + offset(c - 2 * pairs, place), spin.c[c]);
    }
  }

  /// Whether the sites of parity 0 of this block are those of parity 1 of the lattice.
  [[nodiscard]] static __device__ __forceinline__ int begins_odd() {
    return Shape::odd_slabs ? rank_in_cluster<Shape>() & 1 : 0;
  }
  /// q of the two sites i = 0, 1 of a parity in plane k, counted from the first plane of the thread; site i is member i
  /// of the heat-bath cell.
  [[nodiscard]] static constexpr __device__ __forceinline__ int site_of(int parity, int k, int i) {
    return ((k + parity) & 1) != 0 ? 1 + i : 3 * i;
  }
  /// Heat-bath cell of the two sites of one parity in plane k.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t cell(int k) const {
    const Place p(thread_);
    return static_cast<std::uint32_t>(p.column + columns * (p.z() + k));
  }

 private:
  static constexpr bool in_cluster = Shape::blocks > 1;
  static constexpr int pairs = Shape::layout == SpinLayout::paired ? components / 2 : 0;
  static constexpr bool has_single = 2 * pairs < components;

  /// Addresses in shared memory: of this thread's column of spins and of those beside it, of the planes above and
  /// below.
  struct Places {
    unsigned own = 0, left = 0, right = 0, down = 0, up = 0, above = 0, below = 0;

    __device__ __forceinline__ void move(unsigned bytes) {
      own += bytes;
      left += bytes;
      right += bytes;
      down += bytes;
      up += bytes;
      above += bytes;
      below += bytes;
    }
  };
  /// A spin of one of these columns.
  template <bool of_cluster>
  __device__ __forceinline__ void load(unsigned Places::*where, int place, float (&spin)[components]) const {
#pragma unroll
    for (int p = 0; p < pairs; ++p) {
      const unsigned address = pair_.*where + pair_offset(p, place);
      if constexpr (of_cluster) {
        shared_memory::load_in_cluster(address, spin[2 * p], spin[2 * p + 1]);
      } else {
        shared_memory::load(address, spin[2 * p], spin[2 * p + 1]);
      }
    }
#pragma unroll
    for (int c = 2 * pairs; c < components; ++c) {
      const unsigned address = single_.*where + offset(c - 2 * pairs, place);
      spin[c] = of_cluster ? shared_memory::load_in_cluster(address) : shared_memory::load(address);
    }
  }

  /// Distance of component c of a site from its thread's address; place = 4 (plane in chunk) + q.
  static __device__ __forceinline__ constexpr unsigned offset(int c, int place) {
    return 4U * static_cast<unsigned>(c * Shape::component_stride + place * columns);
  }
  static __device__ __forceinline__ constexpr unsigned pair_offset(int p, int place) {
    return 8U * static_cast<unsigned>(p * Shape::component_stride + place * columns);
  }
  static __device__ __forceinline__ constexpr unsigned outer_coupling(int n) {
    return 4U * static_cast<unsigned>(n * Shape::threads);
  }
  static __device__ __forceinline__ V vector(const float (&s)[components]) {
    V v;
#pragma unroll
    for (int c = 0; c < components; ++c) v.c[c] = s[c];
    return v;
  }
  /// Bonds to the west of, inside and to the east of the 2 x 2 sites (m = 0, 1, 2); the same along y; those below plane
  /// k.
  [[nodiscard]] __device__ __forceinline__ float j_x(int k, int dy, int m) const { return j_[6 * k + 3 * dy + m]; }
  [[nodiscard]] __device__ __forceinline__ float j_y(int k, int dx, int m) const {
    return j_[6 * depth + 6 * k + 3 * dx + m];
  }
  [[nodiscard]] __device__ __forceinline__ float j_z(int k, int q) const { return j_[12 * depth + 4 * k + q]; }

  float s_[depth][4][components];  ///< [plane][q][component]
  float j_[Shape::couplings];
  const float* fields_ = nullptr;
  int thread_;
  bool mute_;
  unsigned couplings_ = 0;  ///< in shared memory
  Places single_, pair_;    ///< of single components; of pairs of them
};

}}  // namespace glassworks::cuda

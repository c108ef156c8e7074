#pragma once

#include <utility>

#include "kernels/core/modes.hpp"
#include "kernels/cuda/measure_tiling.hpp"
#include "kernels/cuda/spin_order.hpp"
#include "kernels/models/anisotropy.hpp"
#include "kernels/models/formulas.hpp"

/// The integer sums of a measurement over one tile, as steps of a block of threads: between two steps all threads wait
/// for each other. Terms are rounded as in the reference backend; integers are added, so the order is free.
namespace glassworks { inline namespace cuda { namespace measure {

template <class Integer>
GLASSWORKS_HD void add_atomically(Integer* sum, Integer value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(sum, value);
#else
  *sum += value;  // on the host the threads of a block run one after the other
#endif
}

/// Calls f(first) for first = 0, threads, 2 threads, ... while first + thread < count. known: the compiler knows both
/// numbers; it writes the calls one after the other, so that their loads overlap and what they share is formed once.
template <bool known, class F>
GLASSWORKS_HD void for_share(int thread, int threads, int count, F f) {
  if constexpr (known) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int first = 0; first < count; first += threads) {
      if (first + thread < count) f(first);
    }
  } else {
    for (int first = 0; first + thread < count; first += threads) f(first);
  }
}

/// What one thread has summed over its sites of a pair of copies.
struct ThreadSums {
  static constexpr int of_replica = 5, count = 1 + 2 * of_replica;
  std::int64_t value[count] = {};  ///< link, then field, q_s, magnetization x, y, z of each copy
};

/// Adds value i of all threads to *place(i), i < count; |sum| < 2^53. Every thread of a block calls it. On the device a
/// warp first adds up in two parts, 27 bits and the rest.
template <class Place>
GLASSWORKS_HD void add_thread_sums(const ThreadSums& sums, int count, Place place) {
#if defined(__CUDA_ARCH__)
  const int lane = static_cast<int>(threadIdx.x % 32U);
  std::int64_t of_lane = 0;
#pragma unroll
  for (int i = 0; i < ThreadSums::count; ++i) {
    if (i >= count) break;
    const std::uint32_t low = __reduce_add_sync(~0U, static_cast<std::uint32_t>(sums.value[i]) & 0x7FFFFFFU);
    const int high = __reduce_add_sync(~0U, static_cast<int>(sums.value[i] >> 27));
    if (lane == i) of_lane = (std::int64_t{high} << 27) + low;
  }
  if (lane < count) add_atomically(place(lane), static_cast<unsigned long long>(of_lane));
#else
  for (int i = 0; i < count; ++i) add_atomically(place(i), static_cast<unsigned long long>(sums.value[i]));
#endif
}

using Vector = exact::Vector<3>;

/// Spins or fields.
template <SpinLayout layout>
class VectorField {
 public:
  VectorField() = default;
  GLASSWORKS_HD VectorField(const float* components, std::int64_t sites) : first_(components), sites_(sites) {}
  [[nodiscard]] GLASSWORKS_HD Vector operator[](int place) const {
    if constexpr (layout == SpinLayout::paired) {
      struct alignas(8) Pair {
        float x, y;
      };
      const Pair pair = reinterpret_cast<const Pair*>(first_)[place];
      return {pair.x, pair.y, first_[2 * sites_ + place]};
    } else {
      return {first_[place], first_[sites_ + place], first_[2 * sites_ + place]};
    }
  }

 private:
  const float* first_ = nullptr;
  std::int64_t sites_ = 0;
};

/// A pair of copies in one slot. boundary: open if an axis may have open ends; otherwise they are not checked.
template <Boundary boundary, SpinLayout layout>
struct PairInput {
  VectorField<layout> spins[2];
  SpinOrder order;    ///< of the spins; fields are in natural order
  unsigned open = 0;  ///< Lattice::open
  VectorField<SpinLayout::planar> fields, axes;
  bool with_fields = false, with_axes = false;
  float anisotropy = 0.0F;
  bool with_replicas = false;  ///< take the sums of each copy too
  float spin_scale = 0.0F, bond_scale = 0.0F, energy_scale = 0.0F;
};

/// Four components of the terms of a site, moved as one.
struct alignas(16) FourTerms {
  std::int32_t value[4] = {};

  GLASSWORKS_HD void operator+=(const FourTerms& other) {
    for (int k = 0; k < 4; ++k) value[k] += other.value[k];
  }
};

/// The terms of a site: overlap tensor, then the chirality of each axis. `stride` FourTerms lie between sites; it is
/// odd, so that sites side by side are in different banks.
template <int dim>
struct SiteTerms {
  static constexpr int components = 9 + dim, fours = (components + 3) / 4, stride = fours | 1;
  FourTerms four[fours];
};

/// Places of the two neighbours of a spin along an axis.
template <int axis>
GLASSWORKS_HD void neighbours(const SpinOrder& order, int place, int coordinate, int L, int& forward, int& backward) {
  const int next = coordinate == L - 1 ? 0 : coordinate + 1, previous = coordinate == 0 ? L - 1 : coordinate - 1;
  const auto of = [&](int c) {
    if constexpr (axis == 0) return order.of_x(c);
    if constexpr (axis == 1) return order.of_y(c);
    return axis == 3 ? L * L * L * c : L * L * c;
  };
  forward = place + of(next) - of(coordinate);
  backward = place + of(previous) - of(coordinate);
}

/// Whether a bond along an axis leaves a site in one direction: `last` is the coordinate of the last site there.
template <Boundary boundary, SpinLayout layout>
GLASSWORKS_HD bool has_bond(const PairInput<boundary, layout>& in, int axis, int coordinate, int last) {
  return boundary == Boundary::periodic || ((in.open >> axis) & 1U) == 0U || coordinate != last;
}

/// What one thread adds up in a pass: at most 8 terms of at most 2^24 (fixed_point.hpp).
struct PassSums {
  std::int32_t link = 0, q_s[2] = {}, magnetization[2][3] = {};
};

/// Terms of one site; place: of its spin. The other sums go to `pass`, those of fields and anisotropy to `sums`.
/// Factors of 2^n may be multiplied in any order: only numbers that are rounded to 0 anyway come near the smallest
/// float.
template <int dim, Boundary boundary, SpinLayout layout>
GLASSWORKS_HD SiteTerms<dim> site_terms(const PairInput<boundary, layout>& in, int site, int place,
                                        const int coordinates[4], int L, PassSums& pass, ThreadSums& sums) {
  SiteTerms<dim> terms;
  const Vector u = in.spins[0][place], v = in.spins[1][place];
  float link = 0.0F, squares[2] = {};
  const auto along = [&]<int axis>() {
    if (!has_bond(in, axis, coordinates[axis], L - 1)) return;
    int forward = 0, backward = 0;
    neighbours<axis>(in.order, place, coordinates[axis], L, forward, backward);
    const Vector u_forward = in.spins[0][forward], u_backward = in.spins[0][backward];
    const Vector v_forward = in.spins[1][forward], v_backward = in.spins[1][backward];
    const float u_dot = exact::dot(u, u_forward), v_dot = exact::dot(v, v_forward);
    link = exact::fma(u_dot, v_dot, link);
    squares[0] = exact::fma(u_dot, u_dot, squares[0]);
    squares[1] = exact::fma(v_dot, v_dot, squares[1]);
    if (!has_bond(in, axis, coordinates[axis], 0)) return;  // the chirality of an end is 0
    const float kappa_u = exact::chirality(u_forward, u, u_backward);
    const float kappa_v = exact::chirality(v_forward, v, v_backward);
    terms.four[(9 + axis) / 4].value[(9 + axis) % 4] = to_fixed(exact::mul(kappa_u, kappa_v), in.spin_scale);
  };
  [&]<int... axis>(std::integer_sequence<int, axis...>) { (along.template operator()<axis>(), ...); }
  (std::make_integer_sequence<int, dim>{});

  const float left[3] = {exact::mul(u.c[0], in.spin_scale), exact::mul(u.c[1], in.spin_scale),
                         exact::mul(u.c[2], in.spin_scale)};
  const float(&right)[3] = v.c;
  for (int c = 0; c < 9; ++c) terms.four[c / 4].value[c % 4] = to_fixed(left[c / 3], right[c % 3]);
  pass.link += to_fixed(link, in.bond_scale);
  if (!in.with_replicas) return terms;
  for (int copy = 0; copy < 2; ++copy) {
    pass.q_s[copy] += to_fixed(squares[copy], in.bond_scale);
    for (int c = 0; c < 3; ++c) {
      pass.magnetization[copy][c] += copy == 0 ? exact::round_to_int(left[c]) : to_fixed(right[c], in.spin_scale);
    }
    if (in.with_fields) {
      sums.value[1 + copy * ThreadSums::of_replica] +=
          to_fixed(exact::dot(copy == 0 ? u : v, in.fields[site]), in.energy_scale);
    }
    if (in.with_axes) {
      sums.value[1 + copy * ThreadSums::of_replica] +=
          to_fixed(exact::anisotropy_term(in.anisotropy, in.axes[site], copy == 0 ? u : v), in.energy_scale);
    }
  }
  return terms;
}

/// Step 1: the terms of every site of a tile; 0 beyond the border of the lattice.
template <int dim, class Tiling, Boundary boundary, SpinLayout layout>
GLASSWORKS_HD void gather_terms(const Tiling& t, const MeasureTile& tile, const PairInput<boundary, layout>& in,
                                int thread, int threads, FourTerms* terms, ThreadSums& sums) {
  PassSums pass;
  for_share<Tiling::one_tile>(thread, threads, t.sites(), [&](int first) {
    const int ahead = t.whole_planes(first), i = first - ahead * (t.width * t.height) + thread;
    const int row = t.by_width(i), plane = t.by_height(row);
    const int x = tile.x + i - row * t.width, y = tile.y + row - plane * t.height, z_w = tile.plane + ahead + plane;
    SiteTerms<dim> values;
    if (t.has_column(x) && t.has_row(y) && t.has_plane(z_w)) {
      const int w = dim == 4 ? t.by_L(z_w) : 0;
      const int coordinates[4] = {x, y, z_w - w * t.L, w};
      const int plane_start = z_w * t.rows * t.L, place = plane_start + in.order.of_x(x) + in.order.of_y(y);
      values = site_terms<dim>(in, plane_start + y * t.L + x, place, coordinates, t.L, pass, sums);
    }
    FourTerms* to = terms + (row * t.pitch + i - row * t.width + ahead * t.plane_terms()) * SiteTerms<dim>::stride;
    for (int f = 0; f < SiteTerms<dim>::fours; ++f) to[f] = values.four[f];
  });
  sums.value[0] += pass.link;
  for (int copy = 0; copy < 2; ++copy) {
    std::int64_t* of = sums.value + 1 + copy * ThreadSums::of_replica;
    of[1] += pass.q_s[copy];
    for (int c = 0; c < 3; ++c) of[2 + c] += pass.magnetization[copy][c];
  }
}

/// Adds `sum`, which belongs to coordinate j along the axes of `kind` (bit 0 = x, bit 1 = y) and to one (x, y) plane,
/// to the planes of all directions whose x and y axes are `kind`: planes[direction][component][j].
template <int dim, unsigned kind, class Tiling>
GLASSWORKS_HD void add_to_directions(const Tiling& t, int four, int j, int z_w, const FourTerms& sum,
                                     std::int32_t* planes) {
  if (!t.has_plane(z_w)) return;  // a tile beyond the border
  constexpr int components = SiteTerms<dim>::components;
  const int w = dim == 4 ? t.by_L(z_w) : 0, z = z_w - w * t.L;
  const auto add = [&]<int direction>() {
    constexpr unsigned axes = Modes(dim).axes(direction);
    if constexpr ((axes & 3U) == kind) {
      int place = j;
      if constexpr ((axes & 4U) != 0U) place += place + z >= t.L ? z - t.L : z;
      if constexpr ((axes & 8U) != 0U) place += place + w >= t.L ? w - t.L : w;
      std::int32_t* to = planes + (direction * components + 4 * four) * t.L + place;
      for (int k = 0; k < 4; ++k) {
        if (components % 4 == 0 || 4 * four + k < components) add_atomically(to + k * t.L, sum.value[k]);
      }
    }
  };
  [&]<int... direction>(std::integer_sequence<int, direction...>) { (add.template operator()<direction>(), ...); }
  (std::make_integer_sequence<int, Modes(dim).directions()>{});
}

/// Sum of `count` terms at a distance of `step`.
GLASSWORKS_HD FourTerms sum_of(const FourTerms* from, int step, int count) {
  FourTerms sum;
  for (int i = 0; i < count; ++i) sum += from[i * step];
  return sum;
}

/// Sum over the sites of a plane of a tile with one value of x + y.
template <int dim, class Tiling>
GLASSWORKS_HD FourTerms diagonal_sum(const Tiling& t, const FourTerms* plane, int diagonal) {
  constexpr int stride = SiteTerms<dim>::stride;
  if (t.width < t.L) {
    const int first = diagonal < t.width ? 0 : diagonal - t.width + 1;
    const int end = diagonal < t.height ? diagonal + 1 : t.height;
    return sum_of(plane + (diagonal + first * (t.pitch - 1)) * stride, (t.pitch - 1) * stride, end - first);
  }
  FourTerms sum;
  const FourTerms* from = plane + diagonal * stride;
  const FourTerms* wrapped = from + t.L * stride;  // x = 0 is followed by x = L - 1
  for (int y = 0; y < t.height; ++y) sum += (y > diagonal ? wrapped : from)[y * (t.pitch - 1) * stride];
  return sum;
}

/// Step 2: sums of the terms along columns, diagonals and rows of each (x, y) plane. Those of rows are also left at the
/// ends of the rows.
template <int dim, class Tiling>
GLASSWORKS_HD void fold_terms(const Tiling& t, const MeasureTile& tile, int thread, int threads, FourTerms* terms,
                              std::int32_t* planes) {
  constexpr int stride = SiteTerms<dim>::stride;
  const int groups = SiteTerms<dim>::fours * t.depth;  // (four, plane)
  const int columns = groups * t.width, diagonals = dim >= 2 ? columns + groups * t.diagonals() : columns;
  const int all = dim >= 2 ? diagonals + groups * t.height : columns;
  for (int i = thread; i < all; i += threads) {
    if (i < columns) {
      const int group = t.by_width(i), x = i - group * t.width, four = t.by_depth(group),
                plane = group - four * t.depth;
      if (!t.has_column(tile.x + x)) continue;
      const FourTerms* from = terms + (plane * t.plane_terms() + x) * stride + four;
      add_to_directions<dim, 1U>(t, four, tile.x + x, tile.plane + plane, sum_of(from, t.pitch * stride, t.height),
                                 planes);
    } else if (i < diagonals) {
      const int n = i - columns, group = t.by_diagonals(n), diagonal = n - group * t.diagonals();
      const int four = t.by_depth(group), plane = group - four * t.depth;
      const FourTerms sum = diagonal_sum<dim>(t, terms + plane * t.plane_terms() * stride + four, diagonal);
      int j = tile.x + tile.y + diagonal;  // below 3 L
      j -= j >= t.L ? t.L : 0;
      j -= j >= t.L ? t.L : 0;
      add_to_directions<dim, 3U>(t, four, j, tile.plane + plane, sum, planes);
    } else {
      const int n = i - diagonals, group = t.by_height(n), y = n - group * t.height;
      const int four = t.by_depth(group), plane = group - four * t.depth;
      FourTerms* from = terms + (plane * t.plane_terms() + y * t.pitch) * stride + four;
      const FourTerms sum = sum_of(from, stride, t.width);
      from[(t.pitch - 1) * stride] = sum;
      if (!t.has_row(tile.y + y)) continue;
      add_to_directions<dim, 2U>(t, four, tile.y + y, tile.plane + plane, sum, planes);
    }
  }
}

/// Step 3, d >= 3: whole (x, y) planes from the sums of their rows. Touches no term of a site, so step 1 of the next
/// tile may run at the same time.
template <int dim, class Tiling>
GLASSWORKS_HD void fold_planes(const Tiling& t, const MeasureTile& tile, int thread, int threads,
                               const FourTerms* terms, std::int32_t* planes) {
  if constexpr (dim >= 3) {
    constexpr int stride = SiteTerms<dim>::stride;
    for (int group = thread; group < SiteTerms<dim>::fours * t.depth; group += threads) {
      const int four = t.by_depth(group), plane = group - four * t.depth;
      const FourTerms* from = terms + (plane * t.plane_terms() + t.pitch - 1) * stride + four;
      add_to_directions<dim, 0U>(t, four, 0, tile.plane + plane, sum_of(from, t.pitch * stride, t.height), planes);
    }
  }
}

}}}  // namespace glassworks::cuda::measure

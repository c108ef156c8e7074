#pragma once

#include "kernels/cuda/tile_shape.hpp"

namespace glassworks { inline namespace cuda {

/// First site of a tile.
struct TileOrigin {
  int x, y, z;
};

/// Where the sites of a thread are, and what part of the halo it fetches; see TileShape.
template <class Shape>
struct TilePlace {
  static constexpr int T = Shape::T, half = Shape::half, stride = Shape::threads;

  int L;
  const TileOrigin& origin;
  int in_item, item;  ///< of the thread
  int X, Y, Z;        ///< of the 2 x 2 x 2 sites in the tile
  int x, y, z;        ///< first of the sites, in the lattice

  __device__ __forceinline__ TilePlace(int thread, int L_, const TileOrigin& o)
      : L(L_),
        origin(o),
        in_item(thread % Shape::threads_per_item),
        item(thread / Shape::threads_per_item),
        X(in_item % half),
        Y(in_item / half % half),
        Z(in_item / Shape::columns),
        x(o.x + 2 * X),
        y(o.y + 2 * Y),
        z(o.z + 2 * Z) {}

  [[nodiscard]] __device__ __forceinline__ int at(int x_, int y_, int z_) const { return x_ + L * (y_ + L * z_); }
  /// Number of site q of plane k of the 2 x 2 x 2.
  [[nodiscard]] __device__ __forceinline__ int site(int k, int q) const { return at(x + (q & 1), y + (q >> 1), z + k); }
  /// Place in shared memory of the site (a, b, c) of the tile.
  [[nodiscard]] __device__ __forceinline__ int word(int a, int b, int c) const {
    return Shape::row(c & 1, 2 * (b & 1) + (a & 1)) * stride + item * Shape::threads_per_item + a / 2 +
           half * (b / 2 + half * (c / 2));
  }

  /// Calls visit(word, site, leads) for this thread's part of the halo: place in shared memory and number of the site;
  /// `leads` for one thread of each run of up to eight sites that lie side by side in device memory.
  template <class Visit>
  __device__ __forceinline__ void for_halo(Visit visit) const {
    constexpr int per_item = Shape::threads_per_item;
    const TileOrigin o = origin;
    const int x_low = (o.x > 0 ? o.x : L) - 1, x_high = o.x + T < L ? o.x + T : 0;
    const int y_low = (o.y > 0 ? o.y : L) - 1, y_high = o.y + T < L ? o.y + T : 0;
    const int z_low = (o.z > 0 ? o.z : L) - 1, z_high = o.z + T < L ? o.z + T : 0;
#pragma unroll
    for (int first = 0; first < T * T; first += per_item) {
      const int e = first + in_item, a = e % T, b = e / T;
      if (first + per_item > T * T && e >= T * T) break;
      const bool leads = a % 8 == 0;
      visit(word(T - 1, a, b) + Shape::left * stride, at(x_low, o.y + a, o.z + b), true);
      visit(word(0, a, b) + Shape::right * stride, at(x_high, o.y + a, o.z + b), true);
      visit(word(a, T - 1, b) + Shape::down * stride, at(o.x + a, y_low, o.z + b), leads);
      visit(word(a, 0, b) + Shape::up * stride, at(o.x + a, y_high, o.z + b), leads);
      visit(word(a, b, T - 1) + Shape::below * stride, at(o.x + a, o.y + b, z_low), leads);
      visit(word(a, b, 0) + Shape::above * stride, at(o.x + a, o.y + b, z_high), leads);
    }
  }
};

}}  // namespace glassworks::cuda

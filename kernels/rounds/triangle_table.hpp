#pragma once

#include <cstdint>
#include <vector>

#include "kernels/models/triangles.hpp"
#include "kernels/rounds/chain.hpp"

namespace glassworks { inline namespace rounds {

/// The triangles of a lattice or a graph: three sites of which each two are neighbours with J != 0. A triangle stands
/// along an axis where that corner does from which the others are reached in the fewest steps forward.
class TriangleTable {
 public:
  static constexpr std::int64_t most = std::int64_t{1} << 25;

  /// Triangles of a periodic lattice without absent bonds; of a graph those of one whose neighbours all know each
  /// other.
  [[nodiscard]] static double expected(const Lattice& lattice);

  /// Those of a graph, all J taken as different from 0; above `most` it stops counting.
  [[nodiscard]] static std::int64_t count(const SiteGraph& graph);

  /// Throws std::runtime_error (problem (why). suggestion) for more of them.
  TriangleTable(const Chain& chain, const Disorder& disorder);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(triangles_.size()); }
  [[nodiscard]] const Triangle& operator[](std::int64_t i) const { return triangles_[static_cast<std::size_t>(i)]; }
  /// visit(plane) for the plane of a triangle along each axis, as Lattice::plane numbers them.
  template <class Visit>
  void for_planes(std::int64_t i, const Visit& visit) const {
    for (int axis = 0; axis < axes_; ++axis) visit(planes_[static_cast<std::size_t>(i * axes_ + axis)]);
  }

  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
  [[nodiscard]] const std::vector<std::int32_t>& planes() const { return planes_; }

 private:
  int axes_;
  std::vector<Triangle> triangles_;   ///< ascending
  std::vector<std::int32_t> planes_;  ///< [triangle][axis]
};

}}  // namespace glassworks::rounds

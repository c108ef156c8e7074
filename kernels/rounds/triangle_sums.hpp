#pragma once

#include <utility>

#include "kernels/models/triangles.hpp"
#include "kernels/rounds/cluster_measurement.hpp"
#include "kernels/rounds/cluster_replica.hpp"
#include "kernels/rounds/triangle_table.hpp"

namespace glassworks { inline namespace rounds {

/// Adds kappa^2 of the triangles in a range.
template <int n, class Load>
void add_triangle_squares(const TriangleTable& triangles, std::pair<std::int64_t, std::int64_t> range, const Load& load,
                          SiteSums& sums) {
  for (std::int64_t i = range.first; i < range.second; ++i) {
    sums.triangle_squares +=
        to_fixed_wide(triangle_square(spins_of_triangle<n>(triangles[i], load)), triangle_scale.multiplier());
  }
  sums.triangles += range.second - range.first;
}

/// Adds the products of the chiralities of two copies to OverlapSums::chirality.
///
/// scale  multiplier of SumScales::product
template <int n, class LoadA, class LoadB>
void add_triangle_products(const TriangleTable& triangles, const LoadA& a, const LoadB& b, float scale,
                           OverlapSums& sums) {
  for (std::int64_t i = 0; i < triangles.size(); ++i) {
    const float of_a = triangle_chirality_of(spins_of_triangle<n>(triangles[i], a));
    const float of_b = triangle_chirality_of(spins_of_triangle<n>(triangles[i], b));
    const std::int32_t term = to_fixed(exact::mul(of_a, of_b), scale);
    triangles.for_planes(i, [&](std::int32_t plane) { sums.chirality[static_cast<std::size_t>(plane)] += term; });
  }
}

/// The same of the share of a replica, and of a pair of replicas.
void add_triangles(const ClusterSystem& system, const TriangleTable& triangles, ClusterReplica& replica,
                   const Share& share, SiteSums& sums);
void add_triangles(const ClusterSystem& system, const TriangleTable& triangles, ClusterReplica& a, ClusterReplica& b,
                   OverlapSums& sums);

}}  // namespace glassworks::rounds

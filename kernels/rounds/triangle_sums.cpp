#include "kernels/rounds/triangle_sums.hpp"

#include "kernels/models/for_model.hpp"
#include "kernels/models/site_array.hpp"

namespace glassworks { inline namespace rounds {
namespace {

/// f(n, spins...) for replicas of vectors of n components; spins(i): of site i.
template <class F, class... Replica>
void with_spins(const ClusterSystem& system, const F& f, Replica&... replica) {
  for_any_vector_model(system.chain.model, [&](auto m) {
    using M = decltype(m);
    if constexpr (has_triangle_chirality<M>) {
      const auto spins = [](ClusterReplica& of) {
        const SiteArray<typename M::Site> sites(nullptr, of.spins(), of.stride());
        return [sites](std::int64_t i) { return sites.load(i); };
      };
      f(std::integral_constant<int, M::components>{}, spins(replica)...);
    }
  });
}

}  // namespace

void add_triangles(const ClusterSystem& system, const TriangleTable& triangles, ClusterReplica& replica,
                   const Share& share, SiteSums& sums) {
  with_spins(
      system,
      [&](auto n, const auto& spins) {
        add_triangle_squares<n()>(triangles, share.range(triangles.size()), spins, sums);
      },
      replica);
}

void add_triangles(const ClusterSystem& system, const TriangleTable& triangles, ClusterReplica& a, ClusterReplica& b,
                   OverlapSums& sums) {
  with_spins(
      system,
      [&](auto n, const auto& of_a, const auto& of_b) {
        add_triangle_products<n()>(triangles, of_a, of_b, system.scales.product.multiplier(), sums);
      },
      a, b);
}

}}  // namespace glassworks::rounds

#include "kernels/cluster/cluster_observables.hpp"

#include <array>

namespace glassworks {

std::string ClusterObservables::name(int observable) const {
  static constexpr std::array<const char*, fixed_count> fixed{
      "energy",       "energy_squared", "magnetization_abs", "magnetization_2", "magnetization_4", "magnetization_kmin",
      "modulus_2",    "modulus_4",      "improved_m2",       "improved_kmin",   "clusters",        "largest_cluster",
      "mean_cluster", "wrapping_any",   "wrapping_all",      "moved_sites"};
  static constexpr std::array<const char*, overlap_count> overlaps{"overlap", "overlap_2", "overlap_4", "overlap_kmin",
                                                                   "link_overlap"};
  if (observable < fixed_count) return fixed[static_cast<std::size_t>(observable)];
  const int copy = observable - energy_of_copy(0);
  if (copy < 0) return "local_acceptance";
  if (copy < copies_) return "energy_of_copy_" + std::to_string(copy + 1);
  return overlaps[static_cast<std::size_t>(copy - copies_)];
}

}  // namespace glassworks

#include "kernels/rounds/cluster_observables.hpp"

#include <array>

#include "kernels/rounds/local_names.hpp"

namespace glassworks::inline rounds {

std::string ClusterObservables::name(int observable) const {
  static constexpr std::array<const char*, fixed_count> fixed{GLASSWORKS_CLUSTER_OBSERVABLES(GLASSWORKS_TEXT)};
  static constexpr std::array<const char*, overlap_count> overlaps{GLASSWORKS_CLUSTER_OVERLAPS(GLASSWORKS_TEXT)};
  static constexpr std::array<const char*, chirality_count> chiral{GLASSWORKS_CLUSTER_CHIRALITIES(GLASSWORKS_TEXT)};
  if (observable >= local(0)) return local_names(selection_)[static_cast<std::size_t>(observable - local(0))];
  if (observable < fixed_count) return fixed[static_cast<std::size_t>(observable)];
  const int copy = observable - energy_of_copy(0);
  if (copy < 0) return "local_acceptance";
  if (copy < copies_) return "energy_of_copy_" + std::to_string(copy + 1);
  const int of_pair = copy - copies_;
  if (of_pair < overlap_count) return overlaps[static_cast<std::size_t>(of_pair)];
  return chiral[static_cast<std::size_t>(of_pair - overlap_count)];
}

}  // namespace glassworks::inline rounds

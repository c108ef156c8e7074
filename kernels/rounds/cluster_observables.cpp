#include "kernels/rounds/cluster_observables.hpp"

#include <array>

#include "kernels/rounds/local_names.hpp"

namespace glassworks { inline namespace rounds {
namespace {

/// "(0,0,0)" of mode 0, "(1,0,0)" and so on of the next ones, "(2,0,0)" and so on of those behind: as of heisenberg.
std::string mode_name(int mode, int dim) {
  std::string text = "(";
  for (int axis = 0; axis < dim; ++axis) {
    const int n = mode == 1 + axis ? 1 : mode == 1 + dim + axis ? 2 : 0;
    text += (axis > 0 ? "," : "") + std::to_string(n);
  }
  return text + ")";
}

std::string axis_name(int axis) { return std::string("_") + "xyzw"[axis]; }

}  // namespace

std::string ClusterObservables::name(int observable) const {
  static constexpr std::array<const char*, fixed_count> fixed{GLASSWORKS_CLUSTER_OBSERVABLES(GLASSWORKS_TEXT)};
  static constexpr std::array<const char*, overlap_count> overlaps{GLASSWORKS_CLUSTER_OVERLAPS(GLASSWORKS_TEXT)};
  static constexpr std::array<const char*, chirality_count> chiral{GLASSWORKS_CLUSTER_CHIRALITIES(GLASSWORKS_TEXT)};
  if (observable >= local(0)) return local_names(selection_)[static_cast<std::size_t>(observable - local(0))];
  if (observable < fixed_count) return fixed[static_cast<std::size_t>(observable)];
  if (observable >= magnetization_of_axis(0)) {
    return "magnetization_kmin" + axis_name(observable - magnetization_of_axis(0));
  }
  const int copy = observable - energy_of_copy(0);
  if (has_acceptance() && observable == local_acceptance()) return "local_acceptance";
  if (copy < 0) return "reserve_energy";
  if (copy < copies_) return "energy_of_copy_" + std::to_string(copy + 1);
  const int of_pair = copy - copies_;
  if (of_pair < overlap_count) return overlaps[static_cast<std::size_t>(of_pair)];
  if (of_pair < overlap_count + chiralities_) return chiral[static_cast<std::size_t>(of_pair - overlap_count)];
  if (observable < overlap_of_axis(axes_)) return "overlap_kmin" + axis_name(observable - overlap_of_axis(0));
  const int of_field = observable - chi_term(1, 0);
  return "chi_" + std::to_string(1 + of_field / field_modes_) + mode_name(of_field % field_modes_, dim_);
}

}}  // namespace glassworks::rounds

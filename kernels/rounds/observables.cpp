#include "kernels/rounds/observables.hpp"

#include <array>

namespace glassworks { inline namespace rounds {
namespace {

constexpr std::array<const char*, ObservableLayout::fixed_count> fixed_names = {
    GLASSWORKS_OBSERVABLES(GLASSWORKS_TEXT)};

std::string wave_vector(const Modes& modes, int dim, int mode) {
  const Modes::Mode m = modes[mode];
  std::string text = "(";
  for (int axis = 0; axis < dim; ++axis) {
    const bool there = ((modes.axes(m.direction) >> axis) & 1U) != 0U;
    text += (axis > 0 ? "," : "") + std::to_string(there ? m.multiple : 0);
  }
  return text + ")";
}

}  // namespace

std::string ObservableLayout::name(int observable) const {
  if (has_acceptance() && observable == local_acceptance()) return "local_acceptance";
  if (observable < fixed_count) return fixed_names[static_cast<std::size_t>(observable)];
  int rest = observable - fixed_count;
  if (rest < copies_) return "energy_of_copy_" + std::to_string(rest + 1);
  rest -= copies_;
  const int family = rest / modes_.size();
  const std::string k = wave_vector(modes_, dim_, rest % modes_.size());
  return family == 0 ? "overlap_k" + k : "chi_" + std::to_string(family) + k;
}

}}  // namespace glassworks::rounds

#include "kernels/rounds/chain_observables.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace rounds {
namespace {

constexpr const char* chirality = "chiral_zero";  ///< of both layouts

/// Names of all places of a layout.
template <class Layout>
std::vector<std::string> names_of(const Layout& layout) {
  std::vector<std::string> names;
  for (int i = 0; i < layout.size(); ++i) names.push_back(layout.name(i));
  return names;
}

}  // namespace

ChainObservables::ChainObservables(const SpinModel& model, int dim, int copies, LocalSelection local, SiteRule update)
    : model_(model),
      dim_(dim),
      copies_(copies),
      local_(local),
      update_(update),
      names_(has_tensors() ? names_of(ObservableLayout(dim, copies, measures_acceptance(model, update)))
                           : names_of(ClusterObservables(model, dim, copies, local, update))) {}

ChainObservables::ChainObservables(const SpinModel& model, int dim, int copies, LocalSelection local,
                                   std::vector<std::string> stored, SiteRule update)
    : model_(model), dim_(dim), copies_(copies), local_(local), update_(update), names_(std::move(stored)) {
  if (!place("energy")) {
    throw std::runtime_error(
        "The bins of this campaign hold no energy (their observables are not those of any version). Restore the "
        "database from a copy.");
  }
}

std::optional<int> ChainObservables::place(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<int>(found - names_.begin());
}

std::vector<ChainObservables::Named> ChainObservables::placed(
    const std::vector<std::pair<const char*, std::string>>& list) const {
  std::vector<Named> held;
  for (const auto& [label, name] : list) {
    if (const auto at = place(name)) held.push_back({label, *at});
  }
  return held;
}

std::optional<int> ChainObservables::energy_of_copy(int copy) const {
  return place("energy_of_copy_" + std::to_string(copy + 1));
}

int ChainObservables::sample_size() const {
  return has_tensors() ? SampleLayout(dim_, copies_).size()
                       : ClusterObservables(model_, dim_, copies_, local_, update_).size();
}

std::vector<std::string> ChainObservables::sample_names() const {
  return has_tensors() ? SampleLayout(dim_, copies_).names()
                       : names_of(ClusterObservables(model_, dim_, copies_, local_, update_));
}

std::vector<ChainObservables::Named> ChainObservables::stationary() const {
  if (has_tensors()) {
    const ObservableLayout layout(dim_, copies_);
    return placed({{"energy", "energy"}, {"|q|^2", layout.name(layout.overlap_mode(0))}});
  }
  return placed({{"energy", "energy"}, {"m^2", "magnetization_2"}, {"phi^2", modulus()}, {"q^2", "overlap_2"}});
}

std::vector<ChainObservables::Named> ChainObservables::timed() const {
  if (has_tensors()) return {};
  return placed({{"energy", "energy"},
                 {"|m|", "magnetization_abs"},
                 {"m^2", "magnetization_2"},
                 {"phi^2", modulus()},
                 {"q^2", "overlap_2"},
                 {"q_c^2", chirality}});
}

std::vector<ChainObservables::Mean> ChainObservables::all_stationary() const {
  std::vector<Mean> means;
  const auto add = [&](const char* label, const std::vector<std::string>& names) {
    Mean mean{label, {}};
    for (const std::string& name : names) {
      if (const auto at = place(name)) mean.observables.push_back(*at);
    }
    if (!mean.observables.empty()) means.push_back(std::move(mean));
  };
  add("energy", {"energy"});
  if (!has_tensors()) {
    add("m^2", {"magnetization_2"});
    add("m^2(k_min)", {"magnetization_kmin"});
    add("phi^2", {modulus()});
    add("q^2", {"overlap_2"});
    add("q^2(k_min)", {"overlap_kmin"});
  } else {
    const ObservableLayout layout(dim_, copies_);
    std::vector<std::string> smallest;
    for (int mode = 0; mode < layout.modes().size(); ++mode) {
      const Modes::Mode m = layout.modes()[mode];
      const bool along_axis = std::popcount(layout.modes().axes(m.direction)) == 1;
      if (m.multiple == 1 && along_axis) smallest.push_back(layout.name(layout.overlap_mode(mode)));
    }
    add("|q|^2", {layout.name(layout.overlap_mode(0))});
    add("|q(k_min)|^2", smallest);
  }
  add("q_c^2", {chirality});
  add("q_c^2(k_min,par)", {"chiral_kmin_parallel"});
  if (dim_ > 1) add("q_c^2(k_min,perp)", {"chiral_kmin_perpendicular"});
  return means;
}

std::vector<ChainObservables::Named> ChainObservables::always_moving() const {
  std::vector<Named> moving = stationary();
  for (const Named& one : placed({{"q_c^2", chirality}})) moving.push_back(one);
  return moving;
}

std::vector<ChainObservables::Named> ChainObservables::cold_timed() const {
  if (has_tensors()) {
    const ObservableLayout layout(dim_, copies_);
    return placed({{"|q|^2", layout.name(layout.overlap_mode(0))}, {"q_c^2", chirality}});
  }
  if (copies_ > 1) return placed({{"q^2", "overlap_2"}, {"q_c^2", chirality}});
  return placed({{"m^2", "magnetization_2"}});
}

}}  // namespace glassworks::rounds

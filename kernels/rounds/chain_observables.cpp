#include "kernels/rounds/chain_observables.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace glassworks::inline rounds {
namespace {

/// Names of all places of a layout.
template <class Layout>
std::vector<std::string> names_of(const Layout& layout) {
  std::vector<std::string> names;
  for (int i = 0; i < layout.size(); ++i) names.push_back(layout.name(i));
  return names;
}

}  // namespace

ChainObservables::ChainObservables(const SpinModel& model, int dim, int copies, LocalSelection local)
    : model_(model),
      dim_(dim),
      copies_(copies),
      local_(local),
      names_(has_tensors() ? names_of(ObservableLayout(dim, copies))
                           : names_of(ClusterObservables(model, copies, local))) {}

ChainObservables::ChainObservables(const SpinModel& model, int dim, int copies, LocalSelection local,
                                   std::vector<std::string> stored)
    : model_(model), dim_(dim), copies_(copies), local_(local), names_(std::move(stored)) {
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
  return has_tensors() ? SampleLayout(dim_, copies_).size() : ClusterObservables(model_, copies_, local_).size();
}

std::vector<std::string> ChainObservables::sample_names() const {
  return has_tensors() ? SampleLayout(dim_, copies_).names() : names_of(ClusterObservables(model_, copies_, local_));
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
                 {"q^2", "overlap_2"}});
}

}  // namespace glassworks::inline rounds

#include "kernels/rounds/chain_observables.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace glassworks::inline rounds {

ChainObservables::ChainObservables(const SpinModel& model, int dim, int copies, std::vector<std::string> stored)
    : model_(model), dim_(dim), copies_(copies), stored_(std::move(stored)) {
  if (!place(is_heisenberg() ? static_cast<int>(ObservableLayout::energy)
                             : static_cast<int>(ClusterObservables::energy))) {
    throw std::runtime_error(
        "The bins of this campaign hold no energy (their observables are not those of any version). Restore the "
        "database from a copy.");
  }
}

std::vector<std::string> ChainObservables::own_names() const {
  const ObservableLayout layout(dim_, copies_);
  const int size = is_heisenberg() ? layout.size() : cluster().size();
  std::vector<std::string> names;
  for (int i = 0; i < size; ++i) names.push_back(is_heisenberg() ? layout.name(i) : cluster().name(i));
  return names;
}

std::optional<int> ChainObservables::place(int observable) const {
  if (!stored_) return observable;
  const auto found = std::ranges::find(*stored_, own_names()[static_cast<std::size_t>(observable)]);
  if (found == stored_->end()) return std::nullopt;
  return static_cast<int>(found - stored_->begin());
}

std::vector<ChainObservables::Named> ChainObservables::placed(const std::vector<Named>& list) const {
  std::vector<Named> held;
  for (const Named& named : list) {
    if (const auto at = place(named.observable)) held.push_back({named.name, *at});
  }
  return held;
}

std::optional<int> ChainObservables::energy_of_copy(int copy) const {
  return place(is_heisenberg() ? ObservableLayout(dim_, copies_).energy_of_copy(copy) : cluster().energy_of_copy(copy));
}

int ChainObservables::size() const {
  if (stored_) return static_cast<int>(stored_->size());
  return is_heisenberg() ? ObservableLayout(dim_, copies_).size() : cluster().size();
}

std::vector<std::string> ChainObservables::names() const { return stored_ ? *stored_ : own_names(); }

int ChainObservables::sample_size() const {
  return is_heisenberg() ? SampleLayout(dim_, copies_).size() : cluster().size();
}

std::vector<std::string> ChainObservables::sample_names() const {
  return is_heisenberg() ? SampleLayout(dim_, copies_).names() : own_names();
}

std::vector<ChainObservables::Named> ChainObservables::stationary() const {
  if (is_heisenberg()) {
    return placed({{"energy", ObservableLayout::energy}, {"|q|^2", ObservableLayout(dim_, copies_).overlap_mode(0)}});
  }
  std::vector<Named> list{{"energy", ClusterObservables::energy}, {"m^2", ClusterObservables::magnetization_2}};
  if (has_modulus(model_)) list.push_back({"phi^2", ClusterObservables::modulus_2});
  if (copies_ > 1) list.push_back({"q^2", cluster().of_overlap(ClusterObservables::overlap_2)});
  return placed(list);
}

std::vector<ChainObservables::Named> ChainObservables::timed() const {
  if (is_heisenberg()) return {};
  std::vector<Named> list{{"energy", ClusterObservables::energy},
                          {"|m|", ClusterObservables::magnetization_abs},
                          {"m^2", ClusterObservables::magnetization_2}};
  if (has_modulus(model_)) list.push_back({"phi^2", ClusterObservables::modulus_2});
  if (copies_ > 1) list.push_back({"q^2", cluster().of_overlap(ClusterObservables::overlap_2)});
  return placed(list);
}

}  // namespace glassworks::inline rounds

#include "kernels/chain_observables.hpp"

namespace glassworks {

int ChainObservables::size() const {
  return is_heisenberg() ? ObservableLayout(dim_, copies_).size() : cluster().size();
}

std::vector<std::string> ChainObservables::names() const {
  const ObservableLayout layout(dim_, copies_);
  std::vector<std::string> names;
  for (int i = 0; i < size(); ++i) names.push_back(is_heisenberg() ? layout.name(i) : cluster().name(i));
  return names;
}

int ChainObservables::sample_size() const {
  return is_heisenberg() ? SampleLayout(dim_, copies_).size() : cluster().size();
}

std::vector<std::string> ChainObservables::sample_names() const {
  return is_heisenberg() ? SampleLayout(dim_, copies_).names() : names();
}

std::vector<ChainObservables::Named> ChainObservables::stationary() const {
  if (is_heisenberg()) {
    return {{"energy", ObservableLayout::energy}, {"|q|^2", ObservableLayout(dim_, copies_).overlap_mode(0)}};
  }
  std::vector<Named> list{{"energy", ClusterObservables::energy}, {"m^2", ClusterObservables::magnetization_2}};
  if (has_modulus(model_)) list.push_back({"phi^2", ClusterObservables::modulus_2});
  if (copies_ > 1) list.push_back({"q^2", cluster().of_overlap(ClusterObservables::overlap_2)});
  return list;
}

std::vector<ChainObservables::Named> ChainObservables::timed() const {
  if (is_heisenberg()) return {};
  std::vector<Named> list{{"energy", ClusterObservables::energy},
                          {"|m|", ClusterObservables::magnetization_abs},
                          {"m^2", ClusterObservables::magnetization_2}};
  if (has_modulus(model_)) list.push_back({"phi^2", ClusterObservables::modulus_2});
  if (copies_ > 1) list.push_back({"q^2", cluster().of_overlap(ClusterObservables::overlap_2)});
  return list;
}

}  // namespace glassworks

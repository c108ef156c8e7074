#include "kernels/rounds/chain_observables.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace rounds {
namespace {

constexpr const char* chirality = "chiral_zero";

}  // namespace

ChainObservables::ChainObservables(const BinLayout& layout, std::vector<std::string> stored)
    : layout_(layout), names_(std::move(stored)) {
  if (!place("energy")) {
    throw std::runtime_error(
        "The bins of this campaign hold no energy (their observables match no known version). Restore the "
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

std::vector<ChainObservables::Order> ChainObservables::orders() const {
  if (layout_.has(BinQuantity::overlap_k)) {
    const auto name = [&](int wave) { return layout_.name(layout_.at(BinQuantity::overlap_k, wave)); };
    Order overlap{"|q|^2", "|q(k_min)|^2", name(0), {}};
    for (int axis = 0; axis < layout_.dim(); ++axis) overlap.kmin.push_back(name(1 + axis));
    return {overlap};
  }
  return {{"m^2", "m^2(k_min)", "magnetization_2", {"magnetization_kmin"}},
          {"phi^2", "", has_free_modulus(layout_.model()) ? "modulus_2" : "", {}},
          {"q^2", "q^2(k_min)", "overlap_2", {"overlap_kmin"}}};
}

std::vector<ChainObservables::Named> ChainObservables::stationary() const {
  std::vector<std::pair<const char*, std::string>> list = {{"energy", "energy"}};
  for (const Order& order : orders()) list.emplace_back(order.label, order.zero);
  return placed(list);
}

std::vector<ChainObservables::Named> ChainObservables::timed() const {
  if (layout_.has(BinQuantity::overlap_k)) return {};
  std::vector<std::pair<const char*, std::string>> list = {{"energy", "energy"}, {"|m|", "magnetization_abs"}};
  for (const Order& order : orders()) list.emplace_back(order.label, order.zero);
  list.emplace_back("q_c^2", chirality);
  return placed(list);
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
  for (const Order& order : orders()) {
    add(order.label, {order.zero});
    add(order.label_kmin, order.kmin);
  }
  add("q_c^2", {chirality});
  add("q_c^2(k_min,par)", {"chiral_kmin_parallel"});
  if (layout_.dim() > 1) add("q_c^2(k_min,perp)", {"chiral_kmin_perpendicular"});
  return means;
}

std::vector<ChainObservables::Named> ChainObservables::always_moving() const {
  std::vector<Named> moving = stationary();
  for (const Named& one : placed({{"q_c^2", chirality}})) moving.push_back(one);
  return moving;
}

std::vector<ChainObservables::Named> ChainObservables::cold_timed() const {
  const std::vector<Order> all = orders();
  const Order& order = layout_.copies() > 1 ? all.back() : all.front();
  return placed({{order.label, order.zero}, {"q_c^2", chirality}});
}

}}  // namespace glassworks::rounds

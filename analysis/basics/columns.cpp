#include "analysis/basics/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace glassworks { inline namespace analysis {

Columns::Columns(const Config& config, const SizeRow& size) : Columns(size.observables, config.model.dim) {
  static_cast<void>((*this)[fmt::format("energy_of_copy_{}", config.replicas.copies)]);
}

Columns::Columns(std::vector<std::string> names, int dim) : names_(std::move(names)), dim_(dim) {
  for (std::size_t i = 0; i < names_.size(); ++i) index_[names_[i]] = i;
  for (int copy = 1;; ++copy) {
    const auto found = index_.find(fmt::format("energy_of_copy_{}", copy));
    if (found == index_.end()) break;
    energy_of_copy_.push_back(found->second);
  }
  if (energy_of_copy_.size() < (has("overlap") ? 2U : 1U)) {
    throw std::runtime_error(
        "The bins of this campaign hold no energies of two copies (products of thermal averages need them). Analyze it "
        "with the version that wrote it.");
  }
}

std::size_t Columns::operator[](const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    throw std::runtime_error(fmt::format(
        "The bins of this campaign hold no observable '{}' (another version wrote them). Analyze it with that version.",
        name));
  }
  return found->second;
}

OrderParameter Columns::order_parameter() const {
  if (has_modes("overlap_k", 0)) return {modes("overlap_k", 0), modes("overlap_k", 1), "|q|^2", "|q|^{2}"};
  if (has("overlap_2")) return {{(*this)["overlap_2"]}, {(*this)["overlap_kmin"]}, "q^2", "q^{2}"};
  return {{(*this)["magnetization_2"]}, {(*this)["magnetization_kmin"]}, "m^2", "m^{2}"};
}

std::vector<std::string> Columns::mode_names(const std::string& family, int axes, int multiple) const {
  std::vector<std::string> names;
  for (unsigned mask = 0; mask < (1U << dim_); ++mask) {
    if (std::popcount(mask) != axes) continue;
    std::string name = family + "(";
    for (int axis = 0; axis < dim_; ++axis) {
      name += fmt::format("{}{}", axis > 0 ? "," : "", ((mask >> axis) & 1U) != 0U ? multiple : 0);
    }
    names.push_back(name + ")");
  }
  return names;
}

std::vector<std::size_t> Columns::modes(const std::string& family, int axes, int multiple) const {
  std::vector<std::size_t> columns;
  for (const std::string& name : mode_names(family, axes, multiple)) columns.push_back((*this)[name]);
  return columns;
}

bool Columns::has_modes(const std::string& family, int axes, int multiple) const {
  return std::ranges::all_of(mode_names(family, axes, multiple), [&](const std::string& name) { return has(name); });
}

std::vector<std::size_t> columns_of_sample(const Columns& columns, const std::string& quantity) {
  if (quantity == "energy_product") return {columns[Columns::energy_product]};
  if (columns.has(quantity)) return {columns[quantity]};
  struct Mode {
    const char* suffix;
    int axes, multiple;
  };
  for (const Mode& mode : {Mode{"_kmin", 1, 1}, Mode{"_2kmin", 1, 2}, Mode{"_110", 2, 1}, Mode{"_zero", 0, 1}}) {
    if (!quantity.ends_with(mode.suffix)) continue;
    const std::string family = quantity.substr(0, quantity.size() - std::string(mode.suffix).size());
    if (family == "overlap") return columns.modes("overlap_k", mode.axes, mode.multiple);
    if (family.starts_with("chi_")) return columns.modes(family, mode.axes, mode.multiple);
  }
  return {};
}

}}  // namespace glassworks::analysis

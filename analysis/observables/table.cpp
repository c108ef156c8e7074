#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/observables/families.hpp"

namespace glassworks { inline namespace analysis {

bool Observable::all_met(const std::vector<Condition>& conditions, const Config& config) {
  return std::ranges::all_of(conditions, [&](const Condition& condition) { return condition.met(config); });
}

const std::vector<Observable>& observables() {
  static const std::vector<Observable> all = [] {
    std::vector<Observable> rows;
    for (const ObservableFamily& family : observable_families) {
      for (Observable& row : family.rows()) rows.push_back(std::move(row));
    }
    return rows;
  }();
  return all;
}

std::vector<const Observable*> observables_by_place(int (*place)(const Observable&)) {
  std::vector<const Observable*> rows;
  for (const Observable& row : observables()) {
    if (place(row) > 0) rows.push_back(&row);
  }
  std::ranges::sort(rows, {}, [place](const Observable* row) { return place(*row); });
  return rows;
}

const Observable* find_observable(const std::string& name) {
  static const std::map<std::string, const Observable*, std::less<>> rows = [] {
    std::map<std::string, const Observable*, std::less<>> index;
    for (const Observable& row : observables()) index.emplace(row.name, &row);
    return index;
  }();
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

const std::vector<std::string>& notation_lines() {
  static const std::vector<std::string> lines = {
      "<.> thermal average",
      "[.] disorder average",
      "a, b, ... different copies",
      "N = L^d",
      "N_b = d N",
      "z = 2d",
      "beta = 1/T",
      "q^{mu nu}(k) = (1/N) sum_i s_i^{mu(a)} s_i^{nu(b)} exp(i k.R_i)",
      "kappa_i^a = s_{i+a}.(s_i x s_{i-a})",
      "q_c^a(k) = (1/N) sum_i kappa_i^{a(1)} kappa_i^{a(2)} exp(i k.R_i)",
      "xi(chi) = sqrt(chi(0)/chi(k_min) - 1)/(2 sin(k_min/2))",
      "k_min = 2 pi/L",
  };
  return lines;
}

std::string notation() { return fmt::format("{}", fmt::join(notation_lines(), ", ")); }

std::string observable_label(const std::string& name) {
  const Observable* row = find_observable(name);
  return row == nullptr || row->figure.place == 0 ? name : row->figure.label;
}

}}  // namespace glassworks::analysis

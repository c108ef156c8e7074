#include "analysis/export/observable_info.hpp"

#include <array>
#include <string_view>

#include "analysis/observables/observable.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Families of columns whose names go on with a wave vector or a copy.
struct Family {
  std::string_view prefix, units, equation;
};
constexpr std::array<Family, 5> families = {{
    {"energy_of_copy", "J", "e of one copy"},
    {"overlap_k(", "1", "sum_{mu nu} [<|q^{mu nu}(k)|^2>], k in units of 2 pi/L"},
    {"chi_1(", "1", "[<|A_ab(k)|^2>], A_ab(k) = sum_mu q_ab^{mu mu}(k), k in units of 2 pi/L"},
    {"chi_2(", "1", "[<Re A_ab(k) A_ac(k)*>], k in units of 2 pi/L"},
    {"chi_3(", "1", "[<Re A_ab(k) A_cd(k)*>], k in units of 2 pi/L"},
}};

}  // namespace

ObservableInfo describe_observable(const std::string& name) {
  if (const Observable* row = find_observable(name)) return {row->units, row->equation};
  for (const Family& family : families) {
    if (name.starts_with(family.prefix)) return {std::string(family.units), std::string(family.equation)};
  }
  return {"1", ""};
}

}}  // namespace glassworks::analysis

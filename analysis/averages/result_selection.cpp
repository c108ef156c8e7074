#include "analysis/averages/result_selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "base/input_error.hpp"
#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
namespace {

bool holds(const auto& list, const auto& value) { return std::ranges::find(list, value) != list.end(); }

void require_observables(const AnalysisResult& result, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const SizeResult& size : result.sizes) {
    for (const ObservableResult& one : size.observables) {
      if (!holds(known, one.name)) known.emplace_back(one.name);
    }
  }
  for (const std::string& name : names) {
    if (holds(known, name)) continue;
    throw InputError(InputFault::unknown, name,
                     fmt::format("there is no observable '{}' in this campaign. {}", name,
                                 suggestion(name, known, "`glassworks analyze DIR --csv FILE` lists all.")));
  }
}

}  // namespace

void require_sizes(const std::vector<int>& wanted, const std::vector<int>& there) {
  for (const int L : wanted) {
    if (holds(there, L)) continue;
    throw InputError(InputFault::out_of_range, "--L",
                     fmt::format("there is no size L = {} in this campaign (it has {}). Choose among these.", L,
                                 fmt::join(there, ", ")));
  }
}

void select_results(AnalysisResult& result, const std::vector<int>& sizes, const std::vector<std::string>& names) {
  std::vector<int> there;
  for (const SizeResult& size : result.sizes) there.push_back(size.L);
  require_sizes(sizes, there);
  require_observables(result, names);
  if (!sizes.empty()) std::erase_if(result.sizes, [&](const SizeResult& size) { return !holds(sizes, size.L); });
  result.chosen = names;
  if (names.empty()) return;
  for (SizeResult& size : result.sizes) {
    std::erase_if(size.observables, [&](const ObservableResult& one) { return !holds(names, one.name); });
  }
}

}}  // namespace glassworks::analysis

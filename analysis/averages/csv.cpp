#include "analysis/averages/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace glassworks { inline namespace analysis {
std::string csv_text(const AnalysisResult& result) {
  const bool both = std::any_of(result.sizes.begin(), result.sizes.end(),
                                [](const SizeResult& size) { return size.groups.state != GroupState::none; });
  const double left_out = result.config.convergence.left_out;
  std::string text = fmt::format("L,T,observable,mean,error,realizations{}{}\n",
                                 both ? ",error_over,error_over_realizations,error_over_groups" : "",
                                 left_out > 0.0 ? ",left_out" : "");
  for (const SizeResult& size : result.sizes) {
    for (const ObservableResult& observable : size.observables) {
      for (std::size_t slot = 0; slot < observable.at_slot.size(); ++slot) {
        const Estimate& e = observable.at_slot[slot];
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}", size.L, shortest(size.temperatures[slot]),
                       observable.name, shortest(e.mean), shortest(e.error), e.realizations);
        if (both) {
          fmt::format_to(std::back_inserter(text), ",{},{},{}", size.groups.unit(),
                         shortest(observable.over_realizations[slot]), shortest(observable.over_groups[slot]));
        }
        if (left_out > 0.0) text += "," + shortest(left_out);
        text += '\n';
      }
    }
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}}  // namespace glassworks::analysis

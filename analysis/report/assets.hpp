#pragma once

#include <string_view>

namespace glassworks { inline namespace analysis {

/// Files of analysis/report/assets/ as they were when the program was built.
[[nodiscard]] std::string_view plotly_script();
[[nodiscard]] std::string_view page_script();
[[nodiscard]] std::string_view page_style();
/// Of the page of `glassworks watch --html`.
[[nodiscard]] std::string_view live_style();

}}  // namespace glassworks::analysis

#pragma once

#include <string>

namespace glassworks { inline namespace tools {

/// Which backend runs which model, update and lattice, by which kernels, as Markdown: docs/manual/backends.md.
[[nodiscard]] std::string backends_page();
/// The same table for a terminal.
[[nodiscard]] std::string backends_text();

}}  // namespace glassworks::tools

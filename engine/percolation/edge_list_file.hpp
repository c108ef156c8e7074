#pragma once

#include <filesystem>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace engine {

/// Reads a graph from a text file: two site numbers per line, from 0; '#' starts a comment. The sites are 0 .. the
/// largest number. Throws InputError, with file and line where there is one.
[[nodiscard]] Graph read_edge_list(const std::filesystem::path& file);

}}  // namespace glassworks::engine

#pragma once

#include <filesystem>

#include "kernels/clusters/graph.hpp"

namespace glassworks { inline namespace engine {

/// Reads a graph for percolation from a file of bonds without couplings, as read_graph_file does: two sites a line,
/// from 0 or 1, perhaps after a header `nodes edges`. Throws InputError, with file and line where there is one.
[[nodiscard]] Graph read_edge_list(const std::filesystem::path& file);

}}  // namespace glassworks::engine

#include "engine/percolation/edge_list_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "engine/graphs/graph_file.hpp"
#include "engine/loading/memory.hpp"

namespace glassworks { inline namespace engine {

Graph read_edge_list(const std::filesystem::path& file) {
  const double memory = physical_memory_bytes();
  const GivenGraph given = read_graph_file(file, static_cast<std::uintmax_t>(memory / 8));
  const auto refuse = [&](InputFault fault, const std::string& why, const char* suggestion) {
    throw InputError(fault, file.string(),
                     fmt::format("The edge list {} cannot be used ({}). {}.", file.string(), why, suggestion));
  };
  if (given.format != "edges") {
    refuse(InputFault::unsupported, "its bonds have couplings, which percolation does not know",
           "Give two sites a line");
  }
  constexpr double bytes_per_site = 24.0, bytes_per_edge = 20.0;  // the pairs, the bonds, the labels
  const auto edges = static_cast<double>(given.graph->bonds().size());
  if (bytes_per_site * static_cast<double>(given.graph->sites()) + bytes_per_edge * edges > memory / 2) {
    refuse(InputFault::too_large, fmt::format("{} edges do not fit into the memory of this machine", edges),
           "Use a smaller graph or a larger machine");
  }
  std::vector<std::pair<Site, Site>> pairs;
  pairs.reserve(given.graph->bonds().size());
  for (const GraphBond& bond : given.graph->bonds())
    pairs.emplace_back(static_cast<Site>(bond.a), static_cast<Site>(bond.b));
  return Graph::from_edges(static_cast<Site>(given.graph->sites()), pairs);
}

}}  // namespace glassworks::engine

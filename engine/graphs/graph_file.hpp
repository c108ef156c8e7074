#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/site_graph.hpp"
namespace glassworks { inline namespace engine {
struct GivenGraph {
  std::shared_ptr<const SiteGraph> graph;
  std::vector<double> couplings, fields;
  std::int64_t first = 0;
  double constant = 0;
  std::string format, digest;
};
[[nodiscard]] GivenGraph read_graph_file(const std::filesystem::path& file);
}}  // namespace glassworks::engine

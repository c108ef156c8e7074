#include "engine/graphs/graph_file.hpp"

#include <fstream>
#include <map>
#include <sstream>

#include "base/text_file.hpp"
namespace glassworks { inline namespace engine {
GivenGraph read_graph_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  GivenGraph g;
  std::stringstream all;
  all << in.rdbuf();
  g.digest = text_digest(all.str());
  std::map<GraphBond, double> m;
  int a, b, n = 0;
  double J;
  while (all >> a >> b >> J) {
    m[{std::min(a, b), std::max(a, b)}] = J;
    n = std::max({n, a + 1, b + 1});
  }
  std::vector<GraphBond> bonds;
  for (auto& [k, v] : m) {
    bonds.push_back(k);
    g.couplings.push_back(v);
  }
  g.graph = std::make_shared<const SiteGraph>(n, bonds);
  return g;
}
}}  // namespace glassworks::engine

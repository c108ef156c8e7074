#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "glassworks/version.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/cluster/json_line.hpp"
#include "tools/bench/cluster/labelling_bench.hpp"
#include "tools/bench/cluster/multispin_bench.hpp"
#include "tools/bench/cluster/published_bench.hpp"
#include "tools/bench/cluster/rounds_bench.hpp"
#include "tools/bench/cluster/strips_bench.hpp"
#include "tools/bench/cluster/update_bench.hpp"

// Times of the labelling methods on a GPU, as JSON lines on standard output: one for each lattice, probability of a
// bond and method. The bonds are made before and are not counted.

namespace glassworks { inline namespace tools { namespace bench { namespace {

void label_lattices(int scale) {
  const int L = 4096 / scale;
  constexpr double honeycomb = 0.652703644666139, triangular = 0.347296355333861;
  const std::vector<std::pair<Graph, std::vector<double>>> cases = {
      {Graph::honeycomb(L, L), {0.5 * honeycomb, honeycomb, 1.5 * honeycomb}},
      {Graph::triangular(L, L), {0.5 * triangular, triangular, 1.5 * triangular}},
      {Graph::hypercubic({L, L}), {0.25, 0.5, 0.75}},
      {Graph::hypercubic({256 / scale, 256, 256}), {0.2488126}},
      {Graph::hypercubic({64 / scale, 64, 64, 64}), {0.1601314}}};
  for (const auto& [graph, probabilities] : cases) {
    for (const double p : probabilities) {
      LabellingBench bench(graph, {{"p", p}}, random_bonds(graph, p, 17));
      bench.print_tile_variants();
      bench.print(LabellingMethod::direct);
      if (graph.kind() != GraphKind::hypercubic || graph.dim() != 2 || p != 0.5) continue;
      for (const LabellingMethod method : cuda_labelling_methods(graph)) {
        if (method != LabellingMethod::tiles && method != LabellingMethod::direct) bench.print(method);
      }
    }
  }
  for (const Numbering numbering : {Numbering::standard, Numbering::random}) {
    const Graph tree = Graph::bethe(3, 22, numbering, 1);
    LabellingBench bench(tree, {{"p", 0.5}}, random_bonds(tree, 0.5, 17));
    bench.print(LabellingMethod::direct);
  }
}

}}}}  // namespace glassworks::tools::bench

int main(int argc, char** argv) {
  using namespace glassworks;
  try {
    if (cuda_devices().empty()) throw std::runtime_error(cuda_unavailable_reason());
    check_cuda(cudaSetDevice(cuda_devices().front().ordinal), "choosing the device");
    JsonWriter json;
    json.begin_object().field("device", cuda_devices().front().name).field("commit", version::kCommit);
    json.field("memory_GB_per_s", bench::rounded(bench::memory_bandwidth() / 1e9, 0)).end_object();
    bench::print_line(json);
    const std::string what = argc > 1 ? argv[1] : "all";
    const int scale = argc > 2 ? std::max(1, std::atoi(argv[2])) : 1;
    if (what == "all" || what == "labelling") bench::label_lattices(scale);
    if (what == "weigel") bench::time_weigel_figures(scale);
    if (what == "komura") bench::label_komura_figures(scale);
    if (what == "strips") {
      const std::vector<std::string_view> words(argv + 2, argv + argc);
      bench::run_strips(words);
    }
    if (what == "all" || what == "ising") bench::update_ising_lattices(scale);
    if (what == "all" || what == "vectors") bench::update_vector_lattices();
    if (what == "all" || what == "rounds") bench::time_cluster_rounds(scale);
    if (what == "single-clusters") bench::time_single_clusters(scale);
    if (what == "single-clusters-on-graphs") bench::time_single_clusters_on_graphs(scale);
    if (what == "all" || what == "multispin") {
      bench::MultispinRow only;
      if (argc > 3) only.L = std::atoi(argv[3]);
      if (argc > 4) only.dim = std::atoi(argv[4]);
      if (argc > 5) only.kernel = argv[5];
      if (argc > 6) only.open = static_cast<unsigned>(std::atoi(argv[6]));
      if (argc > 7) only.field = static_cast<float>(std::atof(argv[7]));
      bench::time_multispin_rounds(scale, only);
    }
    if (what == "all" || what == "graph-words") bench::time_multispin_graphs(scale);
    if (what == "all" || what == "measurements") bench::time_cluster_measurements(scale);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cluster_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "glassworks/version.hpp"
#include "kernels/backend.hpp"
#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "kernels/random.hpp"
#include "tools/bench/cluster/device_timer.hpp"
#include "tools/bench/cluster/update_bench.hpp"

// Times of the labelling methods on a GPU, as JSON lines on standard output: one for each lattice, probability of a
// bond and method. The bonds are made before and are not counted.

namespace glassworks::bench {
namespace {

/// Bytes per second of the device memory at its clock.
double memory_bandwidth() {
  int kHz = 0, bits = 0;
  check_cuda(cudaDeviceGetAttribute(&kHz, cudaDevAttrMemoryClockRate, 0), "looking at the device");
  check_cuda(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0), "looking at the device");
  return 2.0 * kHz * 1e3 * bits / 8.0;
}

/// Every bond active with probability p, 8 bits of a word each.
BondSet random_bonds(const Graph& graph, double p, std::uint32_t seed) {
  BondSet set(graph);
  const auto threshold = static_cast<std::uint32_t>(p * 65536.0);
  RandomBlock block{};
  std::uint32_t drawn = 0;
  graph.for_each_bond([&](BondIndex b, Site, Site) {
    if (drawn % 8 == 0) block = random_block(PhiloxKey{seed, 1}, Stream::percolation, 0, 0, 0, drawn / 8);
    const std::uint32_t word = block.word[drawn / 2 % 4] >> (16 * (drawn % 2)) & 0xFFFFU;
    ++drawn;
    if (word < threshold) set.activate(b);
  });
  return set;
}

class LabellingBench {
 public:
  LabellingBench(const Graph& graph, double p) : graph_(graph), p_(p) {
    const BondSet bonds = random_bonds(graph, p, 17);
    bonds_.reserve(device_bond_words(graph));
    labels_.reserve(graph.sites());
    check_cuda(cudaMemcpy(bonds_.data(), bonds.words().data(), 4 * bonds.words().size(), cudaMemcpyHostToDevice),
               "copying bonds to the device");
  }

  void print(const std::string& method, DeviceLabelling& labelling) {
    const Times times = timer_.measure(
        3, 21, [&](const StageMark& mark) { labelling.enqueue(bonds_.data(), labels_.data(), nullptr, mark); });
    // The least that any method moves: the bonds once, the labels twice to and once from device memory.
    const double bytes = static_cast<double>(graph_.bond_indices()) / 8.0 + 12.0 * graph_.sites();
    const double floor_ms = 1e3 * bytes / memory_bandwidth();
    std::string stages;
    for (const auto& [name, ms] : times.stages) {
      stages += fmt::format("{}\"{}\": {:.4f}", stages.empty() ? "" : ", ", name, ms);
    }
    fmt::print(
        "{{\"graph\": \"{}\", \"p\": {:.6f}, \"method\": \"{}\", \"ms\": {:.4f}, \"least_ms\": {:.4f}, "
        "\"most_ms\": {:.4f}, \"ps_per_site\": {:.2f}, \"roofline_share\": {:.3f}, \"stages_ms\": {{{}}}}}\n",
        graph_.description(), p_, method, times.median, times.least, times.most, 1e9 * times.median / graph_.sites(),
        floor_ms / times.median, stages);
    std::fflush(stdout);
  }

  /// Tile shapes of this lattice one after another.
  void print_tile_variants() {
    for (int variant = 0;; ++variant) {
      const auto labelling = make_tile_labelling(graph_, variant);
      if (labelling == nullptr) return;
      print(fmt::format("tiles, variant {}", variant), *labelling);
    }
  }
  void print(LabellingMethod method) { print(to_string(method), *make_device_labelling(graph_, method)); }

 private:
  const Graph& graph_;
  double p_;
  DeviceBuffer<std::uint32_t> bonds_;
  DeviceBuffer<Site> labels_;
  DeviceTimer timer_;
};

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
      LabellingBench bench(graph, p);
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
    LabellingBench bench(tree, 0.5);
    bench.print(LabellingMethod::direct);
  }
}

}  // namespace
}  // namespace glassworks::bench

int main(int argc, char** argv) {
  using namespace glassworks;
  try {
    if (cuda_devices().empty()) throw std::runtime_error(cuda_unavailable_reason());
    check_cuda(cudaSetDevice(cuda_devices().front().ordinal), "choosing the device");
    fmt::print("{{\"device\": \"{}\", \"commit\": \"{}\", \"memory_GB_per_s\": {:.0f}}}\n", cuda_devices().front().name,
               version::kCommit, bench::memory_bandwidth() / 1e9);
    const std::string what = argc > 1 ? argv[1] : "all";
    const int scale = argc > 2 ? std::max(1, std::atoi(argv[2])) : 1;
    if (what == "all" || what == "labelling") bench::label_lattices(scale);
    if (what == "all" || what == "ising") bench::update_ising_lattices(scale);
    if (what == "all" || what == "vectors") bench::update_vector_lattices();
  } catch (const std::exception& error) {
    fmt::print(stderr, "cluster_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}

#include "tools/bench/cluster/labelling_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/core/random.hpp"
#include "kernels/cuda/cluster/tile_labelling.hpp"
#include "tools/bench/cluster/json_line.hpp"

namespace glassworks { inline namespace tools { namespace bench {

double memory_bandwidth() {
  int kHz = 0, bits = 0;
  check_cuda(cudaDeviceGetAttribute(&kHz, cudaDevAttrMemoryClockRate, 0), "looking at the device");
  check_cuda(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0), "looking at the device");
  return 2.0 * kHz * 1e3 * bits / 8.0;
}

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

LabellingBench::LabellingBench(const Graph& graph, Parameters parameters, const BondSet& bonds)
    : graph_(graph), parameters_(std::move(parameters)) {
  bonds_.reserve(device_bond_words(graph));
  labels_.reserve(graph.sites());
  check_cuda(cudaMemcpy(bonds_.data(), bonds.words().data(), 4 * bonds.words().size(), cudaMemcpyHostToDevice),
             "copying bonds to the device");
}

void LabellingBench::print(const std::string& method, DeviceLabelling& labelling) {
  const auto label = [&](const StageMark& mark) { labelling.enqueue(bonds_.data(), labels_.data(), nullptr, mark); };
  // 21 repeats, fewer of what takes longer than 50 ms.
  const double once = timer_.measure(2, 1, label).median;
  const Times times = timer_.measure(0, std::clamp(static_cast<int>(1000.0 / once), 3, 21), label);
  // The least that any method moves: the bonds once, the labels twice to and once from device memory.
  const double bytes = static_cast<double>(graph_.bond_indices()) / 8.0 + 12.0 * graph_.sites();
  const double floor_ms = 1e3 * bytes / memory_bandwidth();
  JsonWriter json;
  json.begin_object().field("graph", graph_.description());
  for (const auto& [name, value] : parameters_) json.field(name, rounded(value, 6));
  json.field("method", method).field("ms", rounded(times.median, 4)).field("least_ms", rounded(times.least, 4));
  json.field("most_ms", rounded(times.most, 4)).field("ps_per_site", rounded(1e9 * times.median / graph_.sites(), 2));
  json.field("roofline_share", rounded(floor_ms / times.median, 3)).key("stages_ms").begin_object();
  for (const auto& [name, ms] : times.stages) json.field(name, rounded(ms, 4));
  print_line(json.end_object().end_object());
}

void LabellingBench::print_tile_variants() {
  for (int variant = 0;; ++variant) {
    const auto labelling = make_tile_labelling(graph_, variant);
    if (labelling == nullptr) return;
    print(fmt::format("tiles, variant {}", variant), *labelling);
  }
}

void LabellingBench::print(LabellingMethod method) { print(to_string(method), *make_device_labelling(graph_, method)); }

}}}  // namespace glassworks::tools::bench

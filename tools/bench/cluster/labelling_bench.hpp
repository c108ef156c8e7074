#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/clusters/graph.hpp"
#include "kernels/cuda/cluster/device_labelling.hpp"
#include "kernels/cuda/device_buffer.hpp"
#include "tools/bench/cluster/device_timer.hpp"

namespace glassworks { inline namespace tools { namespace bench {

/// Bytes per second of the device memory at its clock.
[[nodiscard]] double memory_bandwidth();

/// Every bond of a graph active with probability p, to 16 bits.
[[nodiscard]] BondSet random_bonds(const Graph& graph, double p, std::uint32_t seed);

/// Times of the ways to label one set of bonds, which lies on the device before, as JSON lines on standard output.
class LabellingBench {
 public:
  /// parameters  those of the bonds, with their names in the lines: p
  using Parameters = std::vector<std::pair<std::string, double>>;
  LabellingBench(const Graph& graph, Parameters parameters, const BondSet& bonds);

  void print(LabellingMethod method);
  /// Tile shapes of this lattice one after another.
  void print_tile_variants();

 private:
  void print(const std::string& method, DeviceLabelling& labelling);

  const Graph& graph_;
  Parameters parameters_;
  DeviceBuffer<std::uint32_t> bonds_;
  DeviceBuffer<Site> labels_;
  DeviceTimer timer_;
};

}}}  // namespace glassworks::tools::bench

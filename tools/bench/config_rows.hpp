#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

struct ConfigBenchOptions {
  std::string file;  ///< of the configuration
  Config config;
  /// Instead of those of the configuration, for sweeps that no campaign makes alone: n_B = 0.
  std::optional<int> overrelaxation, heatbath;
  int repeats = 5;
  double seconds = 0.3;  ///< about, of a timed round
};

/// Steps of the chain of a configuration without measurements, for one of its sizes: the time of an update from rounds
/// of different lengths, so that what a round takes at its ends does not count.
struct ConfigResult {
  Chain chain;
  int realizations = 0;
  std::string kernel;  ///< for people; empty: the backend has no choice
  double start =
      0.0;        ///< from the making of the backend to the end of the first step, disorder and states among it [s]
  int steps = 0;  ///< of a long round
  Spread ns;      ///< per spin update
  double updates = 0.0;  ///< of spins in all that was timed
};

/// Throws InputError where the backend cannot run the chain, or the memory does not suffice.
[[nodiscard]] ConfigResult bench_config(const ConfigBenchOptions& options, std::size_t size_index);

/// Backend and processor or device: "cpu (avx512, 1 thread), AMD EPYC".
[[nodiscard]] std::string device_text(const BackendOptions& options);

[[nodiscard]] std::string config_header(const ConfigBenchOptions& options);
[[nodiscard]] std::string config_table_line(const ConfigResult& result);
[[nodiscard]] std::string config_json(const ConfigBenchOptions& options, const std::vector<ConfigResult>& results);

}}  // namespace glassworks::tools

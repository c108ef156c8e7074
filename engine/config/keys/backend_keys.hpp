#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace engine {

struct BackendConfig {
  BackendOptions options;
  std::vector<int> devices;  ///< numbers of CUDA devices; empty: all
  int batch = 0;             ///< realizations simulated together; 0: chosen from threads and size
};

constexpr auto enum_names(BackendKind) { return std::to_array<std::string_view>({"auto", "reference", "cpu", "cuda"}); }
constexpr auto enum_names(InstructionSet) {
  return std::to_array<std::string_view>({"auto", "portable", "avx2", "avx512"});
}

/// Rows of the keys backend.*; see KeyRows.
template <class Rows>
void backend_keys(const Rows& rows) {
  const auto options = rows.in(&BackendConfig::options);
  options.choice("backend.kind", &BackendOptions::kind, "what simulates; same bits from all").of_run();
  options.choice("backend.isa", &BackendOptions::isa, "instruction set of the cpu backend").of_run();
  options.number("backend.threads", {0, 4096}, &BackendOptions::threads, "threads; 0: one per hardware thread")
      .of_run();
  rows.number("backend.devices", {0, 1023}, &BackendConfig::devices,
              "CUDA devices to use, counted from 0; none given: all")
      .of_run();
  rows.number("backend.batch", {0, 1e6}, &BackendConfig::batch,
              "realizations simulated together; 0: chosen by backend and memory")
      .of_run();
}

}}  // namespace glassworks::engine

#pragma once

#include <string>
#include <vector>

#include "engine/percolation/percolation.hpp"
#include "kernels/make_backend.hpp"
#include "tools/glassworks/arguments.hpp"

namespace glassworks { inline namespace tools {

/// The request of one call of `glassworks percolate`.
struct PercolationRequest {
  std::vector<Graph> graphs;       ///< of one kind, in ascending order of their sites
  std::vector<std::string> names;  ///< of their sizes, for people: "L = 256", "20 generations", "edges.txt"
  Occupation occupation = Occupation::bonds;
  std::vector<double> p;  ///< ascending
  std::uint32_t samples = 100;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one per hardware thread
  BackendKind backend = BackendKind::automatic;
  std::string method;     ///< of labelling; empty: chosen
  std::string csv, plot;  ///< files; empty: none
};

/// The numbers of a list of values and ranges, "0.48:0.52:0.002,0.6", ascending and each once. Throws InputError where
/// they are no probabilities.
[[nodiscard]] std::vector<double> probabilities(const std::string& text);

/// Throws InputError.
[[nodiscard]] PercolationRequest percolation_request(const ParsedArguments& parsed);

}}  // namespace glassworks::tools

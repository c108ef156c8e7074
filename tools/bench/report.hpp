#pragma once

#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "tools/bench/graph_rows.hpp"
#include "tools/bench/model_rows.hpp"
#include "tools/bench/rounds.hpp"
#include "tools/bench/timing.hpp"
#include "tools/bench/updates.hpp"

namespace glassworks { inline namespace tools {

struct BenchResults {
  std::vector<UpdateResult> updates;
  std::vector<ModelResult> models;
  std::vector<GraphResult> graphs;
  std::vector<ThreadResult> threads;
  std::vector<ShareResult> shares;
};

/// Lines about the program, the machine and the settings, without a line break at the end.
[[nodiscard]] std::string bench_header(const BenchOptions& options);

[[nodiscard]] std::string update_table(const std::vector<UpdateResult>& results);
[[nodiscard]] std::string model_table(const std::vector<ModelResult>& results);
[[nodiscard]] std::string thread_table(const std::vector<ThreadResult>& results);
[[nodiscard]] std::string graph_table(const std::vector<GraphResult>& results);
[[nodiscard]] std::string share_table(const std::vector<ShareResult>& results);

/// Settings, provenance and all results; times in ns.
[[nodiscard]] std::string bench_json(const BenchOptions& options, const BenchResults& results);

/// {"median", "low", "high"} under `name`.
void write_spread(JsonWriter& json, const std::string& name, const Spread& s);

/// "program", "date" and "machine".
void write_provenance(JsonWriter& json);

}}  // namespace glassworks::tools

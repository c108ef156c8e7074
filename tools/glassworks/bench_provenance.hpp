#pragma once

#include <string>

#include "tools/glassworks/bench_json.hpp"
#include "tools/glassworks/bench_statistics.hpp"

namespace glassworks {

/// {"median", "low", "high"} under `name`.
void write_spread(JsonWriter& json, const std::string& name, const Spread& s);

/// "program", "date" and "machine".
void write_provenance(JsonWriter& json);

}  // namespace glassworks

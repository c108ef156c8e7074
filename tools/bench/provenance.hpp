#pragma once

#include <string>

#include "base/json_writer.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {

/// {"median", "low", "high"} under `name`.
void write_spread(JsonWriter& json, const std::string& name, const Spread& s);

/// "program", "date" and "machine".
void write_provenance(JsonWriter& json);

}}  // namespace glassworks::tools

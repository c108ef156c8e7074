#include "tools/bench/provenance.hpp"

#include <fmt/chrono.h>

#include <chrono>

#include "glassworks/version.hpp"
#include "tools/glassworks/doctor_machine.hpp"

namespace glassworks { inline namespace tools {

void write_spread(JsonWriter& json, const std::string& name, const Spread& s) {
  json.key(name).begin_object();
  json.field("median", s.median).field("low", s.low).field("high", s.high).end_object();
}

void write_provenance(JsonWriter& json) {
  const Machine machine = this_machine();
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  json.key("program").begin_object();
  json.field("version", version::kVersion).field("commit", version::kCommit).field("compiler", version::kCompiler);
  json.field("build_type", version::kBuildType).field("sanitizers", version::kSanitizers).end_object();
  json.field("date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)));
  json.key("machine").begin_object();
  json.field("processor", machine.processor).field("processors", machine.cpus).field("load", machine.load);
  json.field("second_level_cache_bytes", machine.second_level_cache);
  json.field("third_level_cache_bytes", machine.third_level_cache).field("memory_bytes", machine.memory).end_object();
}

}}  // namespace glassworks::tools

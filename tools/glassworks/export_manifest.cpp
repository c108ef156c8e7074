#include "tools/glassworks/export_manifest.hpp"

#include "base/json_writer.hpp"
#include "glassworks/version.hpp"

namespace glassworks { inline namespace tools {
namespace {

void write_size(JsonWriter& json, const SizeSummary& size) {
  const RealizationCounts& counts = size.counts;
  json.begin_object().field("L", size.L).field("realizations", counts.total).field("used", counts.used);
  json.field("converged", counts.converged).field("used_unconverged", counts.unconverged_used);
  std::uint64_t rounds = 0;
  for (const ExportedRealization& r : size.realizations) rounds += r.row.rounds;
  json.field("rounds", rounds).field("bins_digest", combined_digest(size));
  if (size.groups.state != GroupState::none) {
    json.field("errors_over", size.groups.unit()).field("errors", size.groups.sentence());
  }
  json.key("realizations_used").begin_array();
  for (const ExportedRealization& r : size.realizations) {
    json.begin_object().field("realization", r.row.key.realization).field("status", to_string(r.row.status));
    json.field("rounds", r.row.rounds).field("bins_digest", r.bins_digest).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string manifest_text(const ExportSummary& summary, const std::vector<ExportedFile>& files) {
  JsonWriter json;
  json.begin_object().field("format", "Glassworks export").field("format_version", 1);
  json.field("created", summary.created).field("digest", "XXH3-128");
  json.key("program").begin_object().field("version", version::kVersion).field("commit", version::kCommit);
  json.field("compiler", version::kCompiler).end_object();
  json.key("campaign").begin_object().field("configuration_digest", summary.config_digest);
  json.field("configuration", summary.config_text).end_object();
  json.key("sizes").begin_array();
  for (const SizeSummary& size : summary.sizes) write_size(json, size);
  json.end_array().key("files").begin_array();
  for (const ExportedFile& file : files) {
    json.begin_object().field("name", file.name).field("size", file.size).field("digest", file.digest).end_object();
  }
  return json.end_array().end_object().text();
}

}}  // namespace glassworks::tools

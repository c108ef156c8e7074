#include "analysis/export/export.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <utility>

#include "analysis/export/course_export.hpp"
#include "analysis/export/hdf5.hpp"
#include "analysis/export/round_digests.hpp"
#include "base/digest.hpp"

namespace glassworks { inline namespace analysis {
namespace {

Digest& add_text(Digest& digest, const std::string& text) { return digest.bytes(std::as_bytes(std::span(text))); }

}  // namespace

ExportSummary export_campaign(const CampaignSet& campaigns, const ExportOptions& options, Staging& staging) {
  const CampaignSnapshot snapshot = take_snapshot(campaigns, options.L);
  ExportSummary summary;
  summary.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  summary.config_text = snapshot.config_text;
  Digest config_digest;
  summary.config_digest = add_text(config_digest, snapshot.config_text).hex();

  if (options.kinds == FileKinds::none) return summary;
  if (snapshot.config.course.exists()) {
    summary.sizes = export_course(campaigns, snapshot, options, summary.created, staging);
    return summary;
  }
  std::vector<std::unique_ptr<ExportWriter>> writers;
  if (options.kinds != FileKinds::tables) {
    writers.push_back(make_hdf5_writer(staging, snapshot, campaigns.provenances(), summary.created, options.raw_hdf5));
  }
  if (options.kinds != FileKinds::hdf5) {
    writers.push_back(std::make_unique<TableWriter>(staging, options.covariance, options.raw_table));
  }
  if (options.digests == DigestTable::with) writers.push_back(std::make_unique<RoundDigests>(staging));
  for (const CampaignSnapshot::Size& part : snapshot.sizes) {
    for (const auto& writer : writers) writer->begin_size(part);
    ExportedSize size = read_size(
        campaigns, snapshot.config, part,
        [&](const ExportedRealization& realization, std::span<const RoundRow> rounds) {
          for (const auto& writer : writers) writer->add(realization, rounds);
        },
        options.progress);
    for (const auto& writer : writers) writer->end_size(size);
    summary.sizes.push_back({part.size.L, size.counts, std::move(size.realizations), size.groups});
  }
  for (const auto& writer : writers) writer->finish();
  return summary;
}

std::string combined_digest(const SizeSummary& size) {
  Digest digest;
  for (const ExportedRealization& r : size.realizations) add_text(digest, r.bins_digest);
  return digest.hex();
}

}}  // namespace glassworks::analysis

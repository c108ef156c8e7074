#pragma once

#include <span>

#include "analysis/export/snapshot.hpp"
#include "analysis/export/staging.hpp"

namespace glassworks { inline namespace analysis {

enum class RawBins { without, with };

/// Writes one kind of files while a campaign is read: begin_size, add for each realization with data, end_size, for one
/// size after the other, then finish. All throw std::runtime_error with one sentence.
class ExportWriter {
 public:
  ExportWriter() = default;
  ExportWriter(const ExportWriter&) = delete;
  ExportWriter& operator=(const ExportWriter&) = delete;
  virtual ~ExportWriter() = default;

  virtual void begin_size(const CampaignSnapshot::Size& snapshot) = 0;
  virtual void add(const ExportedRealization& realization, std::span<const RoundRow> rounds) = 0;
  virtual void end_size(const ExportedSize& size) = 0;
  /// Hands the files over to the staging.
  virtual void finish() = 0;
};

}}  // namespace glassworks::analysis

#pragma once

#include <string>
#include <vector>

#include "analysis/export/export.hpp"
#include "analysis/export/staging.hpp"

namespace glassworks { inline namespace tools {

/// manifest.json: what an export holds, of which campaign, made when and by what program, with the digests of all
/// files and of the bins of every realization; analysis/README.md, "Export", lists its keys.
[[nodiscard]] std::string manifest_text(const ExportSummary& summary, const std::vector<ExportedFile>& files);

}}  // namespace glassworks::tools

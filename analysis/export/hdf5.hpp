#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/export/export_writer.hpp"

namespace glassworks { inline namespace analysis {

/// Writes campaign.h5, the whole campaign in one file, and an ALPS file for each size and temperature;
/// analysis/README.md, "Export", lists their content. Throws InputError in a build without HDF5.
///
/// snapshot  must outlive the writer
/// created   time of the export, ISO 8601
[[nodiscard]] std::unique_ptr<ExportWriter> make_hdf5_writer(Staging& staging, const CampaignSnapshot& snapshot,
                                                             const std::vector<Provenance>& provenances,
                                                             const std::string& created, RawBins raw);

}}  // namespace glassworks::analysis

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/export/export_writer.hpp"
#include "analysis/series/series_analysis.hpp"

namespace glassworks { inline namespace analysis {

/// Writes campaign.h5, the whole campaign in one file, and an ALPS file for each size and temperature;
/// analysis/README.md, "Export", lists their content. Throws InputError in a build without HDF5.
///
/// snapshot  must outlive the writer
/// created   time of the export, ISO 8601
[[nodiscard]] std::unique_ptr<ExportWriter> make_hdf5_writer(Staging& staging, const CampaignSnapshot& snapshot,
                                                             const std::vector<Provenance>& provenances,
                                                             const std::string& created, RawBins raw);

/// Writes campaign.h5 of a campaign with a course, with the group `series` of each size; analysis/README.md, "Export",
/// lists its content. Throws InputError in a build without HDF5.
///
/// sizes  of the realizations that `analysis` is of, in its order
/// raw    whether the rows of all realizations are in it
void write_course_file(Staging& staging, const CampaignSnapshot& snapshot, const std::vector<Provenance>& provenances,
                       const std::string& created, std::span<const ExportedSize> sizes, const CourseAnalysis& analysis,
                       RawBins raw);

}}  // namespace glassworks::analysis

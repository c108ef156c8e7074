#pragma once

#include <string>
#include <vector>

#include "analysis/export/hdf5_file.hpp"
#include "analysis/export/snapshot.hpp"

namespace glassworks { inline namespace analysis {

/// Parts of campaign.h5 that campaigns in equilibrium and those with a course have alike.

inline constexpr const char* campaign_file = "campaign.h5";

using Texts = std::vector<std::string>;

void write_texts(Hdf5Group& group, const std::string& name, const Texts& texts, const std::string& order,
                 const std::string& description);

/// Attributes of the file, configuration, parameters and provenance.
void write_root(Hdf5Group& root, const CampaignSnapshot& snapshot, const std::vector<Provenance>& provenances,
                const std::string& created);

/// Attributes of a size, its temperatures and the names of its columns.
void write_size(Hdf5Group& group, const Config& config, const SizeRow& size);

/// How many realizations a size has, and the group `table` with a row for each of them.
void write_realizations(Hdf5Group& group, const ExportedSize& size);

}}  // namespace glassworks::analysis

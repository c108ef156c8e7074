#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/basics/campaign_set.hpp"
#include "analysis/export/staging.hpp"
#include "analysis/report/figure.hpp"

namespace glassworks { inline namespace tools {

/// What a publication says of itself beside what its campaigns know.
struct PublicationFacts {
  std::string licence = "CC-BY-4.0";  ///< SPDX identifier
  std::string title;                  ///< empty: made from the names of the campaigns
  std::vector<std::string> authors;   ///< "Family, Given" or a name
  bool couplings = false;             ///< whether couplings that the program draws are in the folder too
};

/// Names in a published folder beside those of an export.
inline constexpr const char* digest_list_file = "DIGESTS.xxh128";
inline constexpr const char* temperatures_file = "temperatures.csv";
inline constexpr const char* configuration_folder = "configuration";

/// Writes what is needed to make the disorder and the chains of all campaigns again: configuration/NAME.cfg, which
/// `glassworks run` reads, with coupling and field files beside it (couplings/, fields/), and temperatures.csv. Throws
/// where a coupling or field file has changed or is missing.
void publish_configurations(const CampaignSet& campaigns, Staging& staging);

/// Writes report.html, numbers/*.csv of every figure and table, and the main figures as figures/NAME.pdf with their
/// scripts.
///
/// returns  why figures were not drawn, a sentence; empty: they were
[[nodiscard]] std::string publish_report(const Document& document, Staging& staging);

/// Writes README.md and CITATION.cff.
void publish_texts(const CampaignSet& campaigns, const Document& document, const PublicationFacts& facts,
                   Staging& staging);

/// Lines "digest  name" as `xxhsum -c` reads them, of the files and of the manifest, and a last one with the digest of
/// these lines.
[[nodiscard]] std::string digest_list(const std::vector<ExportedFile>& files, std::string_view manifest);

/// Whether a folder seems to be one that `glassworks publish` has made: something has the name of its list of digests.
[[nodiscard]] bool is_publication(const std::filesystem::path& folder);

}}  // namespace glassworks::tools

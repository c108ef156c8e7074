#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/basics/campaign_set.hpp"
#include "analysis/histories/overlap_moments.hpp"
#include "analysis/histories/paired_histories.hpp"
#include "analysis/report/figure.hpp"
#include "db/database.hpp"
#include "engine/bins/campaign_parts.hpp"

namespace glassworks { inline namespace analysis {

/// Further histories of a campaign compared with its own.
struct PartComparison {
  CampaignPart part = CampaignPart::second_histories;
  std::string start;  ///< of the second histories: "annealed", "ordered"
  std::vector<PairedHistories> sizes;
  std::vector<std::vector<MomentComparison>> moments;  ///< of each size; none of CampaignPart::fivefold

  /// Whether no difference lies beyond the limits.
  [[nodiscard]] bool agrees() const;
};

/// Compares a part of a campaign with it; none where there is no such part, or no finished round in it.
///
/// first  the ensembles of the campaign, of all realizations with data
[[nodiscard]] std::optional<PartComparison> compare_part(const Database& campaign, const CampaignEnsembles& first,
                                                         CampaignPart part);

/// All parts that a campaign has, in the order of CampaignPart. Reads the campaign once if there is any.
///
/// read  the ensembles of the campaign, of all realizations with data, where they have been read already
[[nodiscard]] std::vector<PartComparison> compare_parts(const Database& campaign,
                                                        const CampaignEnsembles* read = nullptr);

/// The same of all campaigns of a set, together where part and start are the same.
///
/// read  the ensembles of the set
[[nodiscard]] std::vector<PartComparison> compare_parts(const CampaignSet& campaigns, const CampaignEnsembles& read);

/// One sentence: what was compared, and the largest difference over all temperatures together.
[[nodiscard]] std::string summary_of(const PartComparison& comparison);

/// Rows for people: size, pairs, observable, sigma over all temperatures, difference in errors of the campaign,
/// largest.
[[nodiscard]] Table paired_table(const PartComparison& comparison);
/// The comparison of P_J(q); without rows where there is none.
[[nodiscard]] Table moments_table(const PartComparison& comparison);

/// A section of the report page.
[[nodiscard]] Section history_section(const PartComparison& comparison);

}}  // namespace glassworks::analysis

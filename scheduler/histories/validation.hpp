#pragma once

#include <cstddef>
#include <vector>

#include "db/database.hpp"
#include "engine/bins/campaign_parts.hpp"
#include "engine/config/config.hpp"

namespace glassworks { inline namespace scheduler {

/// Which realizations of a campaign are simulated again, to see whether their stopping or their random numbers bias
/// them: to five times their length, or to their length with the other generator.
struct ValidationRequest {
  CampaignPart kind = CampaignPart::fivefold;
  int sample = 32;         ///< realizations of each size, the first that have converged; more than there are: all
  std::vector<int> sizes;  ///< of these only; empty: all
};

/// What a validation simulates. Realizations that have not converged are left out: their length says nothing.
struct ValidationPlan {
  Config config;
  std::vector<RealizationRow> rows;      ///< queued with their lengths, or `failed` where left out; judgement as below
  std::size_t chosen = 0, left_out = 0;  ///< left out: among the numbers of the chosen
};

/// Plans a validation of a campaign as it is now: its histories to five times their length, or with the other generator
/// (FurtherHistory).
///
/// first  configuration of the campaign as stored, with its directory
/// Throws InputError where nothing can be validated: no realization has converged, or a size is not there.
[[nodiscard]] ValidationPlan plan_validation(const Database& database, const Config& first,
                                             const ValidationRequest& request);

/// Creates the campaign of a plan, or opens it and adds what the plan has more; realizations that are there keep their
/// lengths.
void prepare_validation(const Database& database, const ValidationPlan& plan);

}}  // namespace glassworks::scheduler

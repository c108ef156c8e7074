#include "analysis/campaign/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/averages/averages_need.hpp"
#include "analysis/observables/estimators.hpp"
#include "engine/loading/memory.hpp"

namespace glassworks { inline namespace analysis {
namespace {

constexpr double curves_of_scaling = 24.0;  // copies of a few observables, and their parts

/// Memory held until the end of the analysis, and memory freed after each size [B].
struct Need {
  double lasting = 0.0, passing = 0.0;
};

Need need_of(const CampaignSet& campaigns, const Config& config, const SizeRow& size, const OfflineOptions& options) {
  const std::vector<RealizationRow> rows = campaigns.realizations(size.L);
  const auto realizations = static_cast<double>(
      std::count_if(rows.begin(), rows.end(), [](const RealizationRow& row) { return row.rounds > 0; }));
  const Columns columns(config, size);
  const double slots = static_cast<double>(size.temperatures.size()), grid = options.grid;
  const double slot_columns = static_cast<double>(columns.size());
  const double grid_columns = size.samples.empty() ? slot_columns : static_cast<double>(size.samples.size() + 3);
  const double observables = static_cast<double>(make_estimators(config, size.L, columns).size());
  const bool jackknife = options.resampling.kind == ResamplingKind::jackknife;
  const double samples = jackknife ? std::min<double>(options.resampling.samples, realizations)
                                   : static_cast<double>(options.resampling.samples);
  Need need;
  // Summaries and ensemble, reweighted averages; curves at the slots with and without control variates, on the grid.
  need.lasting = realizations * (2.0 * slots * slot_columns + grid * grid_columns) +
                 samples * (2.0 * slots * observables + grid * (observables + curves_of_scaling));
  need.passing = realizations * grid * grid_columns + samples * std::max(slots * slot_columns, grid * grid_columns);
  if (!jackknife) need.passing += samples * realizations;
  if (config.realizations_per_group() > 1) {  // leave-one-out values of group_correlation, twice
    need.passing = std::max(need.passing, realizations * (2.0 * slots * observables + 2.0 * slot_columns));
  }
  need.lasting *= sizeof(double);
  need.passing *= sizeof(double);
  return need;
}

}  // namespace

double memory_need(const CampaignSet& campaigns, const OfflineOptions& options) {
  const Config config = campaigns.config();
  double lasting = 0.0, passing = 0.0;
  for (const SizeRow& size : campaigns.sizes()) {
    const Need need = need_of(campaigns, config, size, options);
    lasting += need.lasting;
    passing = std::max(passing, need.passing);
  }
  return lasting + passing;
}

void check_memory(const CampaignSet& campaigns, const OfflineOptions& options, double physical_bytes) {
  const double need = memory_need(campaigns, options);
  if (need <= 0.5 * physical_bytes) return;
  throw InputError(
      InputFault::too_large, "memory",
      fmt::format(
          "this analysis would take about {:.3g} GB of memory (with {} temperatures and {} {}), more than half "
          "of the {:.3g} GB of this machine. Use a machine with more memory, or ask for fewer, as with `glassworks "
          "report --temperatures N --{} N`.",
          need / 1e9, options.grid, options.resampling.samples,
          options.resampling.kind == ResamplingKind::jackknife ? "jackknife blocks" : "bootstrap sets",
          physical_bytes / 1e9, options.resampling.kind == ResamplingKind::jackknife ? "blocks" : "bootstrap"));
}

void require_memory_of_averages(const CampaignSet& campaigns) {
  OfflineOptions at_slots;
  at_slots.grid = 0;
  require_memory(memory_need(campaigns, at_slots), physical_memory_bytes(), "campaign.directory",
                 "The average of every realization of this campaign", "Use a machine with more memory.");
}

void check_memory(const CampaignSet& campaigns, const OfflineOptions& options) {
  check_memory(campaigns, options, physical_memory_bytes());
}

}}  // namespace glassworks::analysis

#include "analysis/campaign/offline_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "analysis/campaign/continuation.hpp"
#include "analysis/campaign/memory_need.hpp"
#include "analysis/campaign/verdict_words.hpp"
#include "analysis/histories/history_verdict.hpp"
#include "analysis/observables/observable.hpp"
#include "analysis/observables/observable_formulas.hpp"
#include "analysis/reweighting/slot_interpolation.hpp"
#include "analysis/scaling/worst_case.hpp"
#include "analysis/statistics/control_variate.hpp"
#include "analysis/statistics/estimator_curves.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// Whether slots are interpolated where samples cannot be reweighted.
bool may_interpolate(const Config& config) { return config.measures(BinQuantity::overlap_k); }

/// Observables whose autocorrelation times are estimated, without those that do not apply to the campaign or that it
/// does not store.
std::vector<std::string> timed_observables(const Config& config) {
  if (config.measures(BinQuantity::overlap_k)) return {"energy", "overlap_2", "chiral_zero"};
  std::vector<std::string> names = {"energy",          "magnetization_abs", "magnetization_2", "overlap_2",
                                    "link_overlap",    "chiral_zero",       "improved_m2",     "clusters",
                                    "largest_cluster", "mean_cluster",      "wrapping_any",    "modulus_2"};
  std::erase_if(names, [&](const std::string& name) { return !find_observable(name)->holds_for(config); });
  return names;
}
constexpr std::size_t timed_slots = 9;

/// What is gathered of one size while its histories are read.
struct SizePass {
  SizePass(const Config& config, const SizeRow& size, const OfflineOptions& options)
      : diagnostics(config, size, options.distributions),
        times(size, Columns(config, size), timed_observables(config), timed_slots) {}

  std::unique_ptr<SizeReweighting> reweighting;  ///< none without samples or grid
  SizeDiagnostics diagnostics;
  TauCollector times;
};

using Passes = std::map<int, SizePass>;

/// Ids of the realizations that the pass will read.
std::vector<std::uint32_t> readable(const CampaignSet& campaigns, int L, Selection selection) {
  std::vector<std::uint32_t> ids;
  for (const RealizationRow& row : campaigns.realizations(L)) {
    const bool wanted = selection == Selection::all_with_data || row.status == RealizationStatus::converged;
    if (row.rounds > 0 && wanted) ids.push_back(row.key.realization);
  }
  return ids;
}

CampaignEnsembles read_all(const CampaignSet& campaigns, const OfflineOptions& options, const std::vector<double>& grid,
                           Passes& passes) {
  const Config config = campaigns.config();
  ReadingOptions reading{.selection = options.selection,
                         .threads = options.threads,
                         .samples = RoundSamples::read,
                         .progress = {},
                         .also = {}};
  if (options.progress) {
    reading.progress = [&](int L, int done, int total) {
      options.progress(fmt::format("reading L = {}", L), done, total);
    };
  }
  reading.also = [&](const SizeRow& size) -> SummaryVisitor {
    SizePass& pass = passes.try_emplace(size.L, config, size, options).first->second;
    const std::vector<std::uint32_t> ids = readable(campaigns, size.L, options.selection);
    if (!grid.empty() && !size.samples.empty() && !ids.empty()) {
      pass.reweighting = std::make_unique<SizeReweighting>(config, size, grid, ids);
    }
    return [&pass, times = pass.times.visitor()](const RealizationRow& row, std::span<const RoundRow> rounds,
                                                 const RealizationSummary& summary) -> Keep {
      if (pass.reweighting) pass.reweighting->add(row, rounds, summary);
      return [&pass, &row, rounds, keep_times = times(row, rounds)] {
        pass.diagnostics.add(row, rounds);
        if (keep_times) keep_times();
      };
    };
  };
  return read_ensembles(campaigns, reading);
}

/// Averages of every realization on the grid, by the best way that the campaign's data allow.
Ensemble continue_between_slots(const SizeEnsemble& size, const Config& config, const SizePass& pass,
                                const std::vector<double>& grid, SizeAnalysis& result) {
  if (pass.reweighting) {
    result.reweighting = pass.reweighting->summary();
    result.continuation_remark = pass.reweighting->problem(
        may_interpolate(config) ? "curves between the temperatures of the ladder are interpolated, not reweighted"
                                : "there are no curves between the temperatures of the ladder");
    if (result.continuation_remark.empty()) {
      result.continuation = Continuation::reweighted;
      return pass.reweighting->ensemble();
    }
    if (!may_interpolate(config)) return {};
  } else {
    result.continuation_remark = fmt::format(
        "L = {}: the rounds hold no samples of single measurements (round.samples = 0, or an earlier "
        "version), so curves between the temperatures of the ladder are interpolated, not reweighted.",
        size.size.L);
  }
  result.continuation = Continuation::interpolated;
  return interpolate_slots(size.ensemble, static_cast<double>(config.lattice(size.size.L).sites()), grid).ensemble;
}

void apply_control_variates(const SizeEnsemble& size, const Config& config, const OfflineOptions& options,
                            const Resampling& resampling, const Columns& columns, SizeAnalysis& result) {
  if (options.selection == Selection::converged_only) {
    result.control = "No control variates: the realizations were selected by whether they have converged.";
    return;
  }
  const DisorderControls controls = disorder_controls(config, size.size.L, size.ensemble.realizations);
  const ControlledEnsemble controlled = apply_controls(size.ensemble, controls);
  result.control = controlled.sentence;
  if (!controlled.applied) return;
  const ResampledAverages averages(controlled.ensemble, resampling);
  result.controlled = make_curves(config, columns, controlled.ensemble, averages);
}

SizeAnalysis analyze_size(const SizeEnsemble& size, const GroupCorrelation& groups, const ResampledAverages& averages,
                          const Config& config, const OfflineOptions& options, SizePass& pass,
                          const std::vector<double>& grid) {
  SizeAnalysis result;
  result.L = size.size.L;
  result.groups = groups;
  const Resampling resampling = groups.applied(options.resampling);
  const Columns columns(config, size.size);
  result.at_slots = make_curves(config, columns, size.ensemble, averages);
  apply_control_variates(size, config, options, resampling, columns, result);
  if (!grid.empty()) {
    const Ensemble between = continue_between_slots(size, config, pass, grid, result);
    pass.reweighting.reset();
    if (!between.temperatures.empty()) {
      result.between = make_curves(config, columns, between, ResampledAverages(between, resampling));
    }
  } else {
    result.continuation_remark = "There are no curves between the temperatures of the ladder.";
  }
  result.convergence = convergence_effects(config, size, resampling);
  result.autocorrelation = pass.times.times();
  return result;
}

/// Whether the couplings favour neither sign, so that there is no order in the magnetization.
bool is_symmetric(const ModelConfig& model) {
  if (model.couplings == CouplingKind::gaussian) return model.couplings_mean == 0.0;
  return model.couplings == CouplingKind::bimodal && model.bimodal_p == 0.5;
}

ScalingResult scale(const std::vector<SizeAnalysis>& sizes, const ModelConfig& model, const OfflineOptions& options) {
  std::vector<Curve> curves;
  for (const SizeAnalysis& size : sizes) {
    const std::vector<Curve>& best = size.between.empty() ? size.at_slots : size.between;
    curves.insert(curves.end(), best.begin(), best.end());
  }
  ScalingOptions scaling;
  scaling.magnetization = !is_symmetric(model);
  // The scaling field of the Ising square lattice is x + 0.14 x^2 in this variable, and x - 0.30 x^2 in T - T_c.
  if (scaling.magnetization) scaling.variable = TemperatureVariable::inverse;
  if (options.progress) {
    scaling.progress = [&](const std::string& observable) { options.progress("scaling of " + observable, 0, 0); };
  }
  return analyze_scaling(curves, scaling);
}

}  // namespace

OfflineAnalysis analyze_offline(const CampaignSet& campaigns, const OfflineOptions& options) {
  check_memory(campaigns, options);
  const std::vector<double> grid = common_grid(campaigns.sizes(), options.grid);
  Passes passes;
  const CampaignEnsembles campaign = read_all(campaigns, options, grid, passes);
  OfflineAnalysis result;
  result.averages = analyze(campaign);
  result.further = compare_parts(campaigns, campaign);
  judge_by_histories(result.averages, result.further);
  for (std::size_t i = 0; i < campaign.sizes.size(); ++i) {
    const SizeEnsemble& size = campaign.sizes[i];
    if (size.summaries.empty()) continue;
    const GroupCorrelation& groups = result.averages.sizes[i].groups;
    if (options.progress) options.progress(fmt::format("errors of L = {}", size.size.L), 0, 0);
    SizePass& pass = passes.at(size.size.L);
    const ResampledAverages averages(size.ensemble, groups.applied(options.resampling));
    result.sizes.push_back(analyze_size(size, groups, averages, campaign.config, options, pass, grid));
    if (const Config& config = campaign.config; measures_field_response(config) && config.replicas.copies == 4) {
      result.field.push_back(make_field_curves(config, size.ensemble, averages));
    }
    result.diagnostics.push_back(std::move(pass.diagnostics));
  }
  result.scaling = scale(result.sizes, campaign.config.model, options);
  std::vector<ConvergenceEffects> effects;
  for (const SizeAnalysis& size : result.sizes) effects.push_back(size.convergence);
  add_worst_cases(result.scaling, effects);
  add_doubts(result.scaling, result.averages);
  result.field_comparisons = search_transition(result.field);
  return result;
}

}}  // namespace glassworks::analysis

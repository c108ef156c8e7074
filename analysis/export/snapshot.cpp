#include "analysis/export/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "analysis/analysis.hpp"
#include "analysis/estimators.hpp"
#include "db/bins.hpp"

namespace glassworks {
namespace {

/// The rounds of the snapshot; a campaign that runs may have more by now.
std::vector<RoundRow> history(const Database& database, const RealizationRow& row) {
  std::vector<RoundRow> rounds = database.rounds(row.key);
  if (rounds.size() < row.rounds) {
    throw std::runtime_error(fmt::format(
        "Realization {} of L = {} has lost rounds while it was read (another program has changed the database). "
        "Export again.",
        row.key.realization, row.key.L));
  }
  rounds.resize(row.rounds);
  return rounds;
}

std::string digest_of(std::span<const RoundRow> rounds) {
  Digest digest;
  for (const RoundRow& row : rounds) db::add_to_digest(digest, row.round, row.record);
  return digest.hex();
}

void make_curves(const Config& config, const Columns& columns, ExportedSize& out) {
  const ResampledAverages resampled(out.averages, {});
  const double last = out.size.temperatures.back();
  for (const Estimator& e : make_estimators(config, out.size.L, columns)) {
    out.of_pair.push_back(e.of_pair);
    out.curves.push_back(make_curve(e.name, out.averages, resampled, [&](std::span<const double> averages, double T) {
      if (e.of_pair && T == last) return std::numeric_limits<double>::quiet_NaN();
      return e.value(averages, 1.0 / T);
    }));
  }
}

}  // namespace

std::vector<std::string> average_columns(const SizeRow& size) {
  std::vector<std::string> names = size.observables;
  for (const char* added : {"energy_product", "exchange_attempts", "exchange_accepted", "walkers_up", "walkers_down"}) {
    names.emplace_back(added);
  }
  static_assert(Columns::added_count == 5);
  return names;
}

CampaignSnapshot take_snapshot(const Database& database, std::optional<int> L) {
  CampaignSnapshot snapshot;
  // Rows before sizes: a ladder is frozen before its first round, so the temperatures of a row with rounds are final.
  const std::vector<RealizationRow> rows = database.realizations(L);
  snapshot.config_text = database.config_text();
  snapshot.config = parse_config(snapshot.config_text);
  for (const SizeRow& size : database.sizes()) {
    if (L && size.L != *L) continue;
    CampaignSnapshot::Size& out = snapshot.sizes.emplace_back();
    out.size = size;
    std::ranges::copy_if(rows, std::back_inserter(out.rows),
                         [&](const RealizationRow& row) { return row.key.L == size.L; });
  }
  if (std::ranges::none_of(rows, [](const RealizationRow& row) { return row.rounds > 0; })) {
    throw std::runtime_error(fmt::format("This campaign has no finished round yet{} (nothing to export). Run it first.",
                                         L ? fmt::format(" of L = {}", *L) : ""));
  }
  return snapshot;
}

ExportedSize read_size(const Database& database, const Config& config, const CampaignSnapshot::Size& snapshot,
                       const HistoryVisitor& visit, const std::function<void(std::size_t, std::size_t)>& progress) {
  const SizeRow& size = snapshot.size;
  ExportedSize out;
  out.size = size;
  SizeResult counted;
  count_states(snapshot.rows, config.convergence.max_rounds, counted);
  out.counts = counted.counts;
  out.averages = {.L = size.L,
                  .temperatures = size.temperatures,
                  .columns = average_columns(size),
                  .realizations = {},
                  .values = {}};

  const Columns columns(size.observables, config.model.dim);
  std::size_t done = 0;
  for (const RealizationRow& row : snapshot.rows) {
    if (row.rounds == 0) {
      out.unstarted.push_back(row);
    } else {
      const std::vector<RoundRow> rounds = history(database, row);
      const std::uint32_t left_out = row.judgement.equilibration_rounds;
      const RealizationSummary summary = summarize(row.key, rounds, columns, size.temperatures.size(), left_out);
      out.averages.realizations.push_back(row.key.realization);
      out.averages.values.insert(out.averages.values.end(), summary.mean.begin(), summary.mean.end());
      out.realizations.push_back({row, equilibrated_part(row.rounds, left_out), digest_of(rounds)});
      ++out.counts.used;
      if (row.status != RealizationStatus::converged) ++out.counts.unconverged_used;
      if (visit) visit(out.realizations.back(), rounds);
    }
    if (progress) progress(++done, snapshot.rows.size());
  }
  if (!out.realizations.empty()) make_curves(config, columns, out);
  return out;
}

}  // namespace glassworks

#include "analysis/statistics/history.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace glassworks { inline namespace analysis {
namespace {

constexpr const char* chirality = "chiral_zero";

void check_round(RealizationKey key, const RoundRow& row, const Columns& columns, std::size_t slots) {
  const RoundRecord& record = row.record;
  const std::string where = fmt::format("Round {} of realization {} of L = {}", row.round, key.realization, key.L);
  if (record.mean.size() != slots * columns.stored() || record.exchange_attempts.size() + 1 != slots ||
      record.exchange_accepted.size() + 1 != slots || record.walk_up.size() != slots ||
      record.walk_down.size() != slots || record.measurements < 1) {
    throw std::runtime_error(where +
                             " has another shape than its campaign (damaged or foreign data). Check the campaign "
                             "directory or restore it from a copy.");
  }
  for (std::size_t i = 0; i < record.mean.size(); ++i) {
    if (std::isfinite(record.mean[i])) continue;
    throw std::runtime_error(
        fmt::format("{} holds a {} that is not a finite number (slot {}). Check the disorder and the protocol, and "
                    "report it.",
                    where, columns.name(i % columns.stored()), i / columns.stored()));
  }
}

/// Mean over rounds of one stored column at one slot.
double mean_of(std::span<const RoundRow> rounds, const Columns& columns, std::size_t slot, std::size_t column) {
  double sum = 0.0;
  for (const RoundRow& row : rounds) sum += row.record.mean[slot * columns.stored() + column];
  return sum / static_cast<double>(rounds.size());
}

std::span<const RoundRow> part(std::span<const RoundRow> rounds, RoundRange range) {
  return rounds.subspan(range.first, range.last - range.first);
}

/// Means of the stored observables and of the added columns at one slot: mean[column].
void average_slot(std::span<const RoundRow> rounds, const Columns& columns, std::size_t slot, std::span<double> mean) {
  for (std::size_t column = 0; column < columns.stored(); ++column) {
    mean[column] = mean_of(rounds, columns, slot, column);
  }
  const std::vector<std::size_t>& energies = columns.energy_of_copy();
  double product = 0.0;
  for (std::size_t a = 0; a < energies.size(); ++a) {
    for (std::size_t b = a + 1; b < energies.size(); ++b) product += mean[energies[a]] * mean[energies[b]];
  }
  mean[columns[Columns::energy_product]] =
      energies.size() == 1 ? mean[energies[0]] * mean[energies[0]]
                           : product / (static_cast<double>(energies.size() * (energies.size() - 1)) / 2.0);

  double measurements = 0.0, attempts = 0.0, accepted = 0.0, up = 0.0, down = 0.0;
  for (const RoundRow& row : rounds) {
    measurements += row.record.measurements;
    up += row.record.walk_up[slot];
    down += row.record.walk_down[slot];
    if (slot >= row.record.exchange_attempts.size()) continue;
    attempts += static_cast<double>(row.record.exchange_attempts[slot]);
    accepted += static_cast<double>(row.record.exchange_accepted[slot]);
  }
  mean[columns[Columns::attempts]] = attempts / measurements;
  mean[columns[Columns::accepted]] = accepted / measurements;
  mean[columns[Columns::walkers_up]] = up / measurements;
  mean[columns[Columns::walkers_down]] = down / measurements;
}

RunBlocks blocks_of(std::span<const RoundRow> rounds, const Columns& columns, std::size_t slot, std::size_t column,
                    std::size_t length) {
  RunBlocks result;
  result.blocks = static_cast<std::uint32_t>(rounds.size() / length);
  rounds = rounds.last(result.blocks * length);
  std::vector<double> means;
  for (; !rounds.empty(); rounds = rounds.subspan(length)) {
    means.push_back(mean_of(rounds.first(length), columns, slot, column));
    result.mean += means.back() / result.blocks;
  }
  for (const double mean : means) result.squares += (mean - result.mean) * (mean - result.mean);
  return result;
}

std::vector<BatchMean> differences_of_copies(std::span<const RoundRow> rounds, const Columns& columns,
                                             std::size_t slots) {
  const std::vector<std::size_t>& energies = columns.energy_of_copy();
  std::vector<BatchMean> differences;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (std::size_t copy = 1; copy < energies.size(); copy += 2) {
      std::vector<double> series;
      for (const RoundRow& row : rounds) {
        const std::span<const double> bin = std::span(row.record.mean).subspan(slot * columns.stored());
        series.push_back(bin[energies[copy - 1]] - bin[energies[copy]]);
      }
      differences.push_back(batch_mean(series));
    }
  }
  return differences;
}

}  // namespace

RoundRange equilibrated_part(std::uint32_t rounds, std::uint32_t equilibration) {
  const bool judged = equilibration > 0 && equilibration < rounds;
  return {judged ? equilibration : rounds / 2, rounds};
}

std::vector<RoundRange> logarithmic_bins(std::uint32_t rounds) {
  std::vector<RoundRange> bins;
  for (std::uint32_t last = rounds; last > 0; last /= 2) bins.push_back({last / 2, last});
  return bins;
}

RealizationSummary summarize(RealizationKey key, std::span<const RoundRow> rounds, const Columns& columns,
                             std::size_t slots, std::uint32_t equilibration, std::uint32_t block_rounds) {
  for (const RoundRow& row : rounds) check_round(key, row, columns, slots);
  RealizationSummary summary;
  summary.key = key;
  summary.rounds = static_cast<std::uint32_t>(rounds.size());
  for (const RoundRow& row : rounds) {
    summary.round_trips = std::accumulate(row.record.round_trips.begin(), row.record.round_trips.end(),
                                          summary.round_trips, [](std::uint64_t a, std::uint32_t b) { return a + b; });
  }

  const std::span<const RoundRow> used = part(rounds, equilibrated_part(summary.rounds, equilibration));
  summary.mean.resize(slots * columns.size());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    average_slot(used, columns, slot, std::span(summary.mean).subspan(slot * columns.size(), columns.size()));
  }

  const OrderParameter order = columns.order_parameter();
  const std::size_t quantities[log_bin_quantities] = {columns["energy"], order.zero.front()};
  for (const RoundRange bin : logarithmic_bins(summary.rounds)) {
    std::vector<double>& means = summary.log_bin.emplace_back();
    for (std::size_t slot = 0; slot < slots; ++slot) {
      for (const std::size_t column : quantities) {
        means.push_back(mean_of(part(rounds, bin), columns, slot, column));
      }
    }
  }
  for (const RoundRange bin : logarithmic_bins(summary.rounds)) {
    std::vector<double>& means = summary.further_bin.emplace_back();
    for (std::size_t slot = 0; slot < slots; ++slot) {
      double kmin = 0.0;
      for (const std::size_t column : order.kmin) kmin += mean_of(part(rounds, bin), columns, slot, column);
      means.push_back(kmin / static_cast<double>(order.kmin.size()));
      means.push_back(columns.has(chirality) ? mean_of(part(rounds, bin), columns, slot, columns[chirality]) : 0.0);
    }
  }
  if (used.size() >= moment_batches) summary.copies = differences_of_copies(used, columns, slots);
  if (block_rounds == 0) return summary;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    for (const std::size_t column : quantities) {
      summary.blocks.push_back(blocks_of(used, columns, slot, column, block_rounds));
    }
  }
  return summary;
}

}}  // namespace glassworks::analysis

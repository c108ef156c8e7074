#include "analysis/export/hdf5_bins.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace glassworks { inline namespace analysis {
namespace {

/// One array of all records behind each other.
template <typename T>
std::vector<T> joined(std::span<const RoundRow> rounds, std::vector<T> RoundRecord::*member) {
  std::vector<T> all;
  all.reserve(rounds.size() * (rounds.front().record.*member).size());
  for (const RoundRow& row : rounds) all.insert(all.end(), (row.record.*member).begin(), (row.record.*member).end());
  return all;
}

/// Rounds of one realization have one shape.
void check_shapes(const ExportedRealization& realization, std::span<const RoundRow> rounds) {
  const RoundRecord& a = rounds.front().record;
  for (const RoundRow& row : rounds) {
    const RoundRecord& b = row.record;
    if (b.mean.size() == a.mean.size() && b.walk_mean.size() == a.round_trips.size() * walk_functions &&
        b.round_trips.size() == a.round_trips.size() && b.samples.size() == a.samples.size() &&
        b.samples_per_slot == a.samples_per_slot) {
      continue;
    }
    throw std::runtime_error(
        fmt::format("Round {} of realization {} of L = {} has another shape than those before it (damaged or foreign "
                    "data). Check the campaign directory or restore it from a copy.",
                    row.round, realization.row.key.realization, realization.row.key.L));
  }
}

void write_samples(Hdf5Group& group, std::span<const RoundRow> rounds) {
  const RoundRecord& first = rounds.front().record;
  const std::size_t slots = first.walk_up.size(), samples = static_cast<std::size_t>(first.samples_per_slot);
  if (samples == 0) return;
  group.array<float>("samples", joined(rounds, &RoundRecord::samples),
                     {rounds.size(), slots, samples, first.samples.size() / (slots * samples)},
                     {"[round][slot][sample][quantity]",
                      "single measurements, evenly spaced in the round, ascending in time; see sample_columns",
                      {}});
}

void write_row(Hdf5Group& group, const ExportedRealization& realization) {
  const RealizationRow& row = realization.row;
  group.attribute("L", std::int64_t{row.key.L});
  group.attribute("realization", std::int64_t{row.key.realization});
  group.attribute("status", to_string(row.status));
  group.attribute("reason", row.reason);
  group.attribute("rounds", std::int64_t{row.rounds});
  group.attribute("averaged_first", std::int64_t{realization.averaged.first});
  group.attribute("averaged_last", std::int64_t{realization.averaged.last});
  group.attribute("tau", row.judgement.tau);
  group.attribute("equilibration_rounds", std::int64_t{row.judgement.equilibration_rounds});
  group.attribute("bins_digest", realization.bins_digest);
  group.attribute("state_digest", row.state_digest);
}

}  // namespace

void write_bins(Hdf5Group& group, const ExportedRealization& realization, std::span<const RoundRow> rounds) {
  check_shapes(realization, rounds);
  write_row(group, realization);
  const RoundRecord& first = rounds.front().record;
  const std::size_t n = rounds.size(), slots = first.walk_up.size(), replicas = first.round_trips.size();
  const std::size_t pairs = first.exchange_attempts.size();
  group.array<double>("means", joined(rounds, &RoundRecord::mean), {n, slots, first.mean.size() / slots},
                      {"[round][slot][observable]", "means over the measurements of a round; see bin_columns", {}});
  group.array<std::uint64_t>("exchange_attempts", joined(rounds, &RoundRecord::exchange_attempts), {n, pairs},
                             {"[round][pair]", "exchanges of the slots t, t+1 tried, all copies together", "1"});
  group.array<std::uint64_t>("exchange_accepted", joined(rounds, &RoundRecord::exchange_accepted), {n, pairs},
                             {"[round][pair]", "of these, accepted", "1"});
  group.array<std::uint32_t>("walk_up", joined(rounds, &RoundRecord::walk_up), {n, slots},
                             {"[round][slot]", "replicas that visited the lowest temperature last", "1"});
  group.array<std::uint32_t>("walk_down", joined(rounds, &RoundRecord::walk_down), {n, slots},
                             {"[round][slot]", "replicas that visited the highest temperature last", "1"});
  group.array<double>(
      "walk_mean", joined(rounds, &RoundRecord::walk_mean), {n, replicas, walk_functions},
      {"[round][replica][function]",
       "means of 2x - 1, its sign and cos(2 pi x), x = (slot + 1/2)/slots; replica = copy slots + k", "1"});
  group.array<std::uint32_t>("round_trips", joined(rounds, &RoundRecord::round_trips), {n, replicas},
                             {"[round][replica]", "through the ladder, completed in the round", "1"});

  write_samples(group, rounds);

  std::vector<std::uint32_t> measurements;
  std::vector<double> seconds;
  std::vector<std::int64_t> provenance;
  for (const RoundRow& row : rounds) {
    measurements.push_back(static_cast<std::uint32_t>(row.record.measurements));
    seconds.push_back(row.seconds);
    provenance.push_back(row.provenance);
  }
  group.array<std::uint32_t>("measurements", measurements, {n}, {"[round]", "measurements of the round", "1"});
  group.array<double>("seconds", seconds, {n}, {"[round]", "wall time, shared out over the batch", "s"});
  group.array<std::int64_t>("provenance", provenance, {n}, {"[round]", "place in /provenance, from 1", "1"});
}

}}  // namespace glassworks::analysis

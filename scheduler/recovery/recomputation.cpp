#include "scheduler/recovery/recomputation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "db/bins.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "kernels/series/course_batch.hpp"
#include "scheduler/histories/start.hpp"
#include "scheduler/recovery/recovery.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// From the start no more rounds than this are simulated again.
constexpr std::uint32_t few_rounds = 8;

using Array = std::span<const std::byte>;

std::vector<Array> arrays_of(const RoundRecord& record) {
  std::vector<Array> arrays;
  db::for_each_array(record, {}, [&](std::size_t, const auto& array, std::int64_t) {
    arrays.push_back(std::as_bytes(std::span(array)));
  });
  return arrays;
}

/// Names of the columns that differ; numbers are compared as bits.
std::string different_columns(const RoundRecord& stored, const RoundRecord& again) {
  const std::vector<Array> a = arrays_of(stored), b = arrays_of(again);
  std::string names = stored.measurements == again.measurements ? "" : "measurements";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::ranges::equal(a[i], b[i])) names += fmt::format("{}{}", names.empty() ? "" : ", ", db::bin_columns.at(i));
  }
  return names;
}

/// Whether rounds were committed after the newest checkpoint.
bool is_behind(const RealizationRow& row) {
  return !row.checkpoint.empty() && rounds_of_checkpoint(row.checkpoint) < row.rounds;
}

struct StartingPoint {
  std::uint32_t rounds = 0;
  ChainState state;
};

StartingPoint starting_point(const StateSource& source, const RealizationRow& row) {
  const bool newest = is_behind(row);
  const std::string& file = newest ? row.checkpoint : row.previous_checkpoint;
  if (file.empty()) return {};
  const std::uint32_t rounds = rounds_of_checkpoint(file);
  return {rounds, read_checkpoint(checkpoint_path(source.checkpoints, file),
                                  newest ? row.checkpoint_digest : row.previous_digest,
                                  checkpoint_identity(source.config, source.chain, row.key.realization, rounds))};
}

}  // namespace

std::vector<std::size_t> spread_evenly(std::size_t count, std::size_t wanted) {
  const std::size_t chosen = std::min(count, wanted);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < chosen; ++i) indices.push_back((2 * i + 1) * count / (2 * chosen));
  return indices;
}

BackendKind recomputing_backend(const Config& config) {
  if (backend_refusal(config, BackendKind::cuda).empty()) return BackendKind::automatic;
  return backend_refusal(config, BackendKind::cpu).empty() ? BackendKind::cpu : BackendKind::reference;
}

std::unique_ptr<Backend> make_recomputing_backend(const Config& config) {
  return make_backend({.kind = recomputing_backend(config)});
}

bool can_recompute(const RealizationRow& row) {
  return row.rounds > 0 && (is_behind(row) || !row.previous_checkpoint.empty() || row.rounds <= few_rounds);
}

std::optional<Recomputation> recompute_last_rounds(const StateSource& source, const Database& database,
                                                   const RealizationRow& row, Backend& backend, RoundControl& control) {
  const Chain& chain = source.chain;
  StartingPoint start = starting_point(source, row);
  const std::vector<RoundRow> stored = database.rounds(row.key, start.rounds);
  const Disorder disorder = make_disorder(source.config, chain.lattice, row.key.realization);
  const Beginning beginning{row.key.realization, &disorder, &start.state};
  if (start.rounds == 0 && !make_starts(source.config, chain, {&beginning, 1}, backend, control)) return {};
  Recomputation result;
  RoundRecord record;
  std::vector<HeldTask> tasks;
  tasks.push_back({row.key.realization, &disorder, std::move(start.state)});
  const std::unique_ptr<HeldBatch> held = hold_batch(backend, chain, std::move(tasks));
  for (std::uint32_t round = start.rounds; round < row.rounds; ++round) {
    if (held->run_round({&record, 1}, control) == RoundOutcome::abandoned) return {};
    ++result.rounds;
    const std::string columns = different_columns(stored.at(round - start.rounds).record, record);
    if (columns.empty()) continue;
    result.difference = fmt::format("the bins of round {} differ in {}", round, columns);
    return result;
  }
  if (state_digest(held->state(0)) != row.state_digest) {
    result.difference = fmt::format("the state after round {} has another digest", row.rounds - 1);
  }
  return result;
}

}}  // namespace glassworks::scheduler

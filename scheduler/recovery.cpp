#include "scheduler/recovery.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "db/checkpoint_name.hpp"
#include "engine/checkpoint.hpp"
#include "engine/durable_file.hpp"

namespace glassworks::inline scheduler {
namespace {

namespace fs = std::filesystem;

/// Reads one generation; where it is gone, says why in `problem`.
std::optional<ChainState> read_generation(const fs::path& file, const std::string& digest,
                                          const CheckpointIdentity& identity, std::string& problem) {
  try {
    return read_checkpoint(file, digest, identity);
  } catch (const FileError& error) {
    if (error.fault() == FileFault::withheld) throw;
    problem = error.problem();
    return std::nullopt;
  }
}

void refuse_other_digest(const RealizationRow& row, const CheckpointIdentity& identity, const ChainState& state) {
  const std::string digest = state_digest(state);
  if (digest == row.state_digest) return;
  throw StateLost(fmt::format(
      "The state of {} cannot be restored (simulated again it has digest {}, the database says {}: the "
      "program, its arithmetic or the configuration differ). Restore the checkpoint from a copy, or use the "
      "version of the program that began the campaign.",
      describe(identity), digest, row.state_digest));
}

}  // namespace

bool simulate_rounds(const Chain& chain, const Disorder& disorder, std::uint32_t realization, std::uint32_t rounds,
                     ChainState& state, RoundRecord& record, Backend& backend, RoundControl& control) {
  const RoundTask task{realization, &disorder, &state, &record};
  for (std::uint32_t i = 0; i < rounds; ++i) {
    if (backend.run_round(chain, {&task, 1}, control) == RoundOutcome::abandoned) return false;
  }
  return true;
}

std::optional<StoredState> stored_state(const fs::path& checkpoints, const Config& config, const RealizationRow& row,
                                        const Chain& chain, const Disorder& disorder, Backend& backend,
                                        RoundControl& control) {
  const std::uint32_t realization = row.key.realization;
  if (row.rounds == 0) return StoredState{initial_state(chain, realization), {}};
  const CheckpointIdentity identity = checkpoint_identity(config, chain, realization, row.rounds);
  std::string problem, previous_problem;
  if (auto state = read_generation(checkpoint_path(checkpoints, row.checkpoint), row.state_digest, identity, problem)) {
    return StoredState{std::move(*state), {}};
  }

  std::optional<ChainState> state;
  std::uint32_t missing_rounds = 1;
  if (!row.previous_checkpoint.empty()) {
    state = read_generation(checkpoint_path(checkpoints, row.previous_checkpoint), row.previous_digest,
                            checkpoint_identity(config, chain, realization, row.rounds - 1), previous_problem);
  }
  const bool from_start = !state;
  if (from_start) {
    state = initial_state(chain, realization);
    missing_rounds = row.rounds;
  }
  RoundRecord record;
  if (!simulate_rounds(chain, disorder, realization, missing_rounds, *state, record, backend, control)) return {};
  refuse_other_digest(row, identity, *state);
  write_checkpoint(checkpoint_path(checkpoints, row.checkpoint), *state, identity);

  if (!previous_problem.empty()) problem += "; " + previous_problem;
  return StoredState{std::move(*state),
                     fmt::format("{}. The state of {} was restored to the bit: {} simulated again{}.", problem,
                                 describe(identity), missing_rounds == 1 ? "a round was" : "its rounds were",
                                 from_start ? " from the start" : " from the state before it")};
}

}  // namespace glassworks::inline scheduler

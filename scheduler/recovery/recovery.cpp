#include "scheduler/recovery/recovery.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/checkpoint/held_states.hpp"
#include "kernels/series/course_batch.hpp"
#include "scheduler/histories/start.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

namespace fs = std::filesystem;

/// Takes a generation over, if there is one that can be used; else says why not in `problem`.
bool read_generation(const StateSource& source, const std::string& file, const std::string& digest,
                     Restoration& found) {
  if (file.empty()) return false;
  const std::uint32_t rounds = rounds_of_checkpoint(file);
  try {
    found.state = read_checkpoint(checkpoint_path(source.checkpoints, file), digest,
                                  checkpoint_identity(source.config, source.chain, found.row->key.realization, rounds));
    found.rounds = found.read_rounds = rounds;
    return true;
  } catch (const FileError& error) {
    if (error.fault() == FileFault::withheld) throw;
    found.problem += (found.problem.empty() ? "" : "; ") + error.problem();
    return false;
  }
}

/// What the database says of the state that a restoration has come to: a digest, or nothing.
std::string expected_digest(const Restoration& at) {
  if (at.rounds == at.row->rounds) return at.row->state_digest;
  return at.rounds == rounds_of_checkpoint(at.row->checkpoint) ? at.row->checkpoint_digest : "";
}

/// After a round: compares the state with the database, and puts a checkpoint back that could not be used.
void check_state(const StateSource& source, const std::string& digest, const HeldBatch& held, std::size_t task,
                 Restoration& at) {
  const std::string expected = expected_digest(at);
  if (expected.empty()) return;
  const CheckpointIdentity identity =
      checkpoint_identity(source.config, source.chain, at.row->key.realization, at.rounds);
  if (digest != expected) {
    at.lost = fmt::format(
        "The state of {} cannot be restored (simulated again it has digest {}, the database has {}: the program, its "
        "arithmetic or the configuration differ). Restore the checkpoint from a copy, or use the version of the "
        "program "
        "that began the campaign.",
        describe(identity), digest, expected);
  } else if (!at.problem.empty() && at.rounds == rounds_of_checkpoint(at.row->checkpoint)) {
    write_checkpoint(checkpoint_path(source.checkpoints, at.row->checkpoint), held.state(task), identity);
  }
}

}  // namespace

std::string Restoration::note(const StateSource& source) const {
  if (problem.empty()) return {};
  const std::uint32_t simulated = row->rounds - read_rounds;
  const std::string what = read_rounds == 0 ? "its rounds were simulated again from the start"
                           : simulated == 1
                               ? "a round was simulated again from the state before it"
                               : fmt::format("{} rounds were simulated again from the state before them", simulated);
  return fmt::format("{}. The state of {} was restored to the bit: {}.", problem,
                     describe(checkpoint_identity(source.config, source.chain, row->key.realization, row->rounds)),
                     what);
}

Restoration newest_state(const StateSource& source, const RealizationRow& row, const Disorder& disorder) {
  Restoration found{.row = &row, .disorder = &disorder, .state = {}};
  if (read_generation(source, row.checkpoint, row.checkpoint_digest, found)) return found;
  static_cast<void>(read_generation(source, row.previous_checkpoint, row.previous_digest, found));
  return found;
}

bool simulate_missing_rounds(const StateSource& source, std::span<Restoration> states, Backend& backend,
                             RoundControl& control) {
  std::vector<Beginning> beginning;
  for (Restoration& each : states) {
    if (each.rounds == 0) beginning.push_back({each.row->key.realization, each.disorder, &each.state});
  }
  if (!make_starts(source.config, source.chain, beginning, backend, control)) return false;
  for (;;) {
    std::vector<Restoration*> behind;
    std::uint32_t rounds = ~0U;             // until the first of them is there
    std::optional<std::uint32_t> together;  // after so many rounds are all whose course goes on
    for (Restoration& each : states) {
      if (each.complete() || !each.lost.empty()) continue;
      if (source.chain.course != nullptr && together.value_or(each.rounds) != each.rounds) continue;
      together = each.rounds;
      behind.push_back(&each);
      rounds = std::min(rounds, each.row->rounds - each.rounds);
    }
    if (behind.empty()) return true;
    std::vector<HeldTask> tasks;
    for (Restoration* each : behind) {
      tasks.push_back({each->row->key.realization, each->disorder, std::move(each->state)});
    }
    const std::unique_ptr<HeldBatch> held = hold_batch(backend, source.chain, std::move(tasks));
    std::vector<RoundRecord> records(behind.size());
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (held->run_round(records, control) == RoundOutcome::abandoned) return false;
      bool compared = false;
      for (Restoration* each : behind) {
        ++each->rounds;
        compared = compared || !expected_digest(*each).empty();
      }
      if (!compared) continue;
      const std::vector<std::string> digests = state_digests(*held, behind.size());
      for (std::size_t i = 0; i < behind.size(); ++i) check_state(source, digests[i], *held, i, *behind[i]);
    }
    for (std::size_t i = 0; i < behind.size(); ++i) behind[i]->state = held->state(i);
  }
}

}}  // namespace glassworks::scheduler

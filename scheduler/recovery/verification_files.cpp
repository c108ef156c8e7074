#include "scheduler/recovery/verification_files.hpp"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <vector>

#include "base/durable_file.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "scheduler/recovery/recomputation.hpp"
#include "scheduler/recovery/verification_rows.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

namespace fs = std::filesystem;

/// A checkpoint as the database names it.
struct NamedState {
  std::string file, digest;
  bool operator==(const NamedState&) const = default;
};

/// Why it cannot be used; nothing if it can.
std::optional<FileError> fault_of_state(const fs::path& checkpoints, const NamedState& named,
                                        const CheckpointIdentity& identity) {
  try {
    static_cast<void>(read_checkpoint(checkpoint_path(checkpoints, named.file), named.digest, identity));
    return std::nullopt;
  } catch (const FileError& error) {
    return error;
  }
}

std::string all_rounds(const RealizationRow& row) {
  return row.rounds == 1 ? "its only round" : fmt::format("all of its {} rounds", row.rounds);
}

std::string last_rounds(const RealizationRow& row) {
  const std::uint32_t missing = row.rounds - rounds_of_checkpoint(row.previous_checkpoint);
  return missing == 1 ? "its last round" : fmt::format("its last {} rounds", missing);
}

VerificationProblem newest_problem(const FileError& error, const RealizationRow& row, bool previous_good) {
  if (error.fault() == FileFault::withheld) {
    return {error.problem(), "whether the file is good is not known", "it stops with the same message"};
  }
  const std::string repair =
      fmt::format("simulates {} again and puts the file back", previous_good ? last_rounds(row) : all_rounds(row));
  return {error.problem(), "no result is affected: all bins are in the database",
          is_finished(row.status)
              ? fmt::format("it leaves this finished realization alone; if that is reopened, it {}", repair)
              : fmt::format("it {}", repair)};
}

VerificationProblem previous_problem(const FileError& error, const RealizationRow& row) {
  return {error.problem(),
          fmt::format("no result is affected; if the newest checkpoint is lost too, {} must be simulated again",
                      all_rounds(row)),
          is_finished(row.status) ? "it leaves this finished realization alone"
                                  : "another takes its place with the next round"};
}

std::vector<VerificationProblem> checkpoint_problems(const StateSource& source, const RealizationRow& row,
                                                     std::size_t& files) {
  std::vector<VerificationProblem> problems;
  const auto identity = [&](std::uint32_t rounds) {
    return checkpoint_identity(source.config, source.chain, row.key.realization, rounds);
  };
  files = 0;
  if (row.checkpoint.empty()) return problems;
  bool previous_good = false;
  if (!row.previous_checkpoint.empty()) {
    ++files;
    const auto fault = fault_of_state(source.checkpoints, {row.previous_checkpoint, row.previous_digest},
                                      identity(rounds_of_checkpoint(row.previous_checkpoint)));
    previous_good = !fault;
    if (fault) problems.push_back(previous_problem(*fault, row));
  }
  ++files;
  const auto fault = fault_of_state(source.checkpoints, {row.checkpoint, row.checkpoint_digest},
                                    identity(rounds_of_checkpoint(row.checkpoint)));
  if (fault) problems.insert(problems.begin(), newest_problem(*fault, row, previous_good));
  return problems;
}

bool same_states(const RealizationRow& a, const RealizationRow& b) {
  return a.checkpoint == b.checkpoint && a.checkpoint_digest == b.checkpoint_digest &&
         a.previous_checkpoint == b.previous_checkpoint && a.previous_digest == b.previous_digest;
}

/// The pilots' states after the last stage of a size; none once its ladder is frozen.
std::vector<NamedState> pilot_states(const Database& database, const SizeRow& size) {
  const std::vector<LadderStage> stages = database.ladder_stages(size.L);
  std::vector<NamedState> states;
  if (!size.adapting || stages.empty()) return states;
  std::istringstream lines(stages.back().checkpoints);
  for (NamedState state; lines >> state.file >> state.digest;) states.push_back(state);
  return states;
}

/// Of all sizes.
std::vector<NamedState> pilot_states(const Database& database, Verification& result) {
  std::vector<NamedState> all;
  checked(result, "how a ladder was adapted is not known", "it may stop with the same message: restore the database",
          [&] {
            for (const SizeRow& size : database.sizes()) {
              for (NamedState& state : pilot_states(database, size)) all.push_back(std::move(state));
            }
          });
  return all;
}

}  // namespace

std::set<std::string> checkpoint_files(const fs::path& checkpoints) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(checkpoints, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_checkpoint_name(name) || is_unfinished_checkpoint_name(name)) names.insert(name);
  }
  return names;
}

std::set<std::string> ladder_checkpoints(const Database& database, Verification& result) {
  std::set<std::string> names;
  for (const NamedState& state : pilot_states(database, result)) names.insert(state.file);
  return names;
}

/// Ends, because a realization has a finite number of rounds.
void check_checkpoints(const Database& database, const StateSource& source, RealizationRow row, Verification& result) {
  checked(result, "whether its checkpoints are good is not known", "it may stop with the same message", [&] {
    for (;;) {
      std::size_t files = 0;
      const std::vector<VerificationProblem> problems = checkpoint_problems(source, row, files);
      const RealizationRow now = problems.empty() ? row : database.realization(row.key);
      if (same_states(now, row)) {
        result.checkpoints += files;
        result.problems.insert(result.problems.end(), problems.begin(), problems.end());
        return;
      }
      row = now;
    }
  });
}

void check_ladders(const Database& database, const fs::path& checkpoints, Verification& result) {
  for (const NamedState& state : pilot_states(database, result)) {
    const auto fault = fault_of_state(checkpoints, state, {});
    ++result.checkpoints;
    // The next stage, perhaps, has replaced it.
    if (!fault || !ladder_checkpoints(database, result).contains(state.file)) continue;
    result.problems.push_back({fault->problem(), "no result is affected: pilots are simulated for their ladder only",
                               "it simulates the stages of this ladder again"});
  }
}

void recompute_row(const Database& database, const StateSource& source, RealizationRow row, Backend& backend,
                   RoundControl& control, Verification& result) {
  const auto compare = [&] {
    const auto outcome = recompute_last_rounds(source, database, row, backend, control);
    if (!outcome) {
      result.stopped = true;
      return;
    }
    result.recomputed += outcome->rounds;
    if (outcome->difference.empty()) return;
    result.problems.push_back(
        {fmt::format("L = {}, realization {} simulated again is not the same ({}; with {})", row.key.L,
                     row.key.realization, outcome->difference, backend.description()),
         "either what is stored is wrong, or this program or machine computes other bits than the one that wrote it",
         "it goes on from the stored state"});
  };
  checked(result, "a round could not be simulated again to be compared", "it may meet the same error", [&] {
    for (;;) {
      try {
        return compare();
      } catch (const FileError&) {
        const RealizationRow now = database.realization(row.key);
        if (same_states(now, row)) {
          row.checkpoint.clear();  // from the start, if that is not far
          row.previous_checkpoint.clear();
          if (!can_recompute(row)) return;
        } else {
          row = now;
        }
      }
    }
  });
}

}}  // namespace glassworks::scheduler

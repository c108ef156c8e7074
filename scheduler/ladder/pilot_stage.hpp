#pragma once

#include <optional>
#include <span>
#include <stdexcept>

#include "kernels/make_backend.hpp"
#include "scheduler/campaign/campaign.hpp"

namespace glassworks { inline namespace scheduler {

/// A checkpoint of a pilot is missing or damaged. The message is a clause that names the file, not a full sentence.
class PilotStateLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A round of the pilots has failed on its backend. The message is that of the failure.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Simulates stages of the adaptation of one ladder: a round of every pilot. Between two stages the pilots' states are
/// in files of checkpoints/ called pilot-L008-s003-r0002-DIGEST.ckpt (size, stage, realization), and only a batch of
/// them is in memory.
class PilotStages {
 public:
  PilotStages(const Campaign& campaign, std::size_t size_index, Backend& backend, RoundControl& control);

  /// The stage that follows `before`, with its checkpoints written; nothing if a stop was asked for. The pilots start
  /// anew where the number of slots changes. Writes to no database. Throws PilotStateLost.
  [[nodiscard]] std::optional<LadderStage> simulate(std::span<const LadderStage> before);

  /// Removes the pilots' files of this size, of all stages or of those before one: a successor may be further.
  void remove_files(std::optional<int> first_kept) const;

 private:
  struct Pilot;

  [[nodiscard]] LadderStage empty_stage(std::span<const LadderStage> before) const;
  [[nodiscard]] bool simulate_batch(const Chain& chain, std::span<Pilot> pilots, LadderStage& stage);

  const Campaign& campaign_;
  std::size_t size_index_;
  Backend& backend_;
  RoundControl& control_;
  int threads_;  ///< for checkpoints and disorder
};

}}  // namespace glassworks::scheduler

#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "db/database.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "kernels/rounds/bin_layout.hpp"
#include "scheduler/recovery/recovery.hpp"
#include "tests/scheduler/scratch_campaign.hpp"

namespace glassworks::testing {

/// The state of a realization after its last committed round.
struct StoredState {
  ChainState state;
  std::string note;  ///< see Restoration
};

/// A state that was simulated again is not the one that the database holds.
class StateLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the newest state of one realization and simulates what is missing; nothing if `control` asked to stop.
inline std::optional<StoredState> stored_state(const StateSource& source, const RealizationRow& row,
                                               const Disorder& disorder, Backend& backend, RoundControl& control) {
  Restoration found = newest_state(source, row, disorder);
  if (!simulate_missing_rounds(source, {&found, 1}, backend, control)) return {};
  if (!found.lost.empty()) throw StateLost(found.lost);
  return StoredState{std::move(found.state), found.note(source)};
}

/// A campaign directory filled round by round, with both generations of checkpoints, without any worker.
class StoredCampaign {
 public:
  explicit StoredCampaign(Config config)
      : config_(std::move(config)), chain_(make_chain(config_, 0)), backend_(make_backend(config_.backend.options)) {
    std::filesystem::create_directories(checkpoints());
    database_ = std::make_unique<Database>(Database::create(directory() / database_file_name, canonical_text(config_),
                                                            {size_row()}, config_.disorder.realizations.front()));
    worker_ = database_->add_worker({.id = 0,
                                     .host = "host",
                                     .backend = "cpu",
                                     .pid = 1,
                                     .process_start = 1,
                                     .started = 0,
                                     .heartbeat = 0,
                                     .expires = 1'000'000,
                                     .rounds = 0,
                                     .updates = 0.0});
  }

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const Chain& chain() const { return chain_; }
  [[nodiscard]] Database& database() { return *database_; }
  [[nodiscard]] Backend& backend() { return *backend_; }
  [[nodiscard]] std::int64_t worker() const { return worker_; }
  [[nodiscard]] const std::filesystem::path& directory() const { return config_.campaign.directory; }
  [[nodiscard]] const std::filesystem::path& checkpoints() const { return checkpoints_; }
  [[nodiscard]] StateSource source() const { return {checkpoints_, config_, chain_}; }
  [[nodiscard]] std::filesystem::path checkpoint(const std::string& file) const { return checkpoints() / file; }
  [[nodiscard]] RealizationRow row(std::uint32_t realization) const {
    return database_->realization({chain_.lattice.L, realization});
  }
  [[nodiscard]] Disorder disorder(std::uint32_t realization) const {
    return make_disorder(config_, chain_.lattice, realization);
  }

  /// Commits the next rounds of a realization; `falsify` may change each before its state is written.
  using Falsify = std::function<void(RoundCommit&, ChainState&)>;
  void add_rounds(std::uint32_t realization, int rounds, const Falsify& falsify = {},
                  const std::string& program = "test") {
    for (int i = 0; i < rounds; ++i) add_round(realization, falsify, program);
  }

 private:
  [[nodiscard]] SizeRow size_row() const {
    const BinLayout layout(SpinModel{}, config_.model.dim, config_.replicas.copies);
    SizeRow size{.L = chain_.lattice.L,
                 .temperatures = ladder_temperatures(config_, 0),
                 .observables = {},
                 .adapting = config_.ladder.adapt != LadderAdaptation::none};
    for (int i = 0; i < layout.size(); ++i) size.observables.push_back(layout.name(i));
    if (config_.round.samples() > 0)
      size.samples = BinLayout(SpinModel{}, config_.model.dim, config_.replicas.copies).sample_names();
    return size;
  }

  void add_round(std::uint32_t realization, const Falsify& falsify, const std::string& program) {
    const RealizationRow wanted = row(realization);
    const RealizationRow before = database_->lease(worker_, {&wanted, 1}).at(0);
    ChainState& state = states_.try_emplace(realization, initial_state(chain_, realization)).first->second;
    const Disorder couplings = disorder(realization);
    RoundCommit commit;
    commit.key = before.key;
    commit.attempt = before.attempt;
    commit.round = before.rounds;
    commit.status = RealizationStatus::equilibrating;
    const RoundTask task{realization, &couplings, &state, &commit.record};
    RoundControl control;
    backend_->run_round(chain_, {&task, 1}, control);
    commit.round_trips = std::accumulate(state.round_trips.begin(), state.round_trips.end(), std::uint64_t{0});
    if (falsify) falsify(commit, state);
    commit.state_digest = state_digest(state);
    commit.checkpoint = checkpoint_name(before.key, before.rounds + 1, commit.state_digest);
    write_checkpoint(checkpoint(commit.checkpoint), state,
                     checkpoint_identity(config_, chain_, realization, before.rounds + 1));
    database_->commit(worker_, {&commit, 1}, {program, "test", "test", "test", "test"}, 1);
    if (!before.previous_checkpoint.empty()) std::filesystem::remove(checkpoint(before.previous_checkpoint));
  }

  Config config_;
  std::filesystem::path checkpoints_ = config_.campaign.directory / "checkpoints";
  Chain chain_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Database> database_;
  std::int64_t worker_ = 0;
  std::map<std::uint32_t, ChainState> states_;
};

/// Flips one bit in the middle of a file.
inline void flip_bit(const std::filesystem::path& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(file) / 2);
  const int byte = stream.seekg(middle).get();
  stream.seekp(middle).put(static_cast<char>(byte ^ 4));
}

}  // namespace glassworks::testing

#include "scheduler/ladder/pilot_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>
#include <sstream>
#include <vector>

#include "base/durable_file.hpp"
#include "base/threads.hpp"
#include "engine/checkpoint/checkpoint.hpp"
#include "engine/checkpoint/checkpoint_name.hpp"
#include "engine/ladder/ladder_adaptation.hpp"
#include "engine/loading/memory.hpp"
#include "scheduler/devices/batch_size.hpp"

namespace glassworks { inline namespace scheduler {
namespace fs = std::filesystem;
namespace {

std::string file_prefix(int L) { return fmt::format("pilot-L{:03}-", L); }
std::string file_prefix(int L, int stage) { return fmt::format("{}s{:03}-", file_prefix(L), stage); }

template <class To, class From>
void add(std::vector<To>& sum, const std::vector<From>& more) {
  std::ranges::transform(sum, more, sum.begin(), std::plus<>());
}

}  // namespace

struct PilotStages::Pilot {
  std::uint32_t realization = 0;
  std::string file, digest;  ///< of its state; empty: the initial one
  Disorder disorder;
  ChainState state;
  RoundRecord record;
};

PilotStages::PilotStages(const Campaign& campaign, std::size_t size_index, Backend& backend, RoundControl& control)
    : campaign_(campaign), size_index_(size_index), backend_(backend), control_(control) {
  const int threads = campaign.config().backend.options.threads;
  threads_ = threads > 0 ? threads : hardware_threads();
}

/// The pilots of the first stage stay, also if the campaign gets more realizations meanwhile.
LadderStage PilotStages::empty_stage(std::span<const LadderStage> before) const {
  const Config& config = campaign_.config();
  LadderStage stage;
  stage.L = config.model.L.at(size_index_);
  stage.stage = static_cast<int>(before.size());
  stage.pilots =
      before.empty() ? std::min(config.ladder.pilots, realizations_of(config, size_index_)) : before.front().pilots;
  stage.measurements = measurements_of(config, size_index_);
  stage.temperatures =
      before.empty() ? ladder_temperatures(config, size_index_) : next_temperatures(config.ladder, before);
  const std::size_t slots = stage.temperatures.size();
  stage.exchange_attempts.assign(slots - 1, 0);
  stage.exchange_accepted.assign(slots - 1, 0);
  stage.walk_up.assign(slots, 0);
  stage.walk_down.assign(slots, 0);
  return stage;
}

std::optional<LadderStage> PilotStages::simulate(std::span<const LadderStage> before) {
  LadderStage stage = empty_stage(before);
  const Config& config = campaign_.config();
  Chain chain = make_chain(config, size_index_, stage.temperatures);
  chain.samples = 0;  // a stage keeps only counts
  const bool anew = before.empty() || before.back().temperatures.size() != stage.temperatures.size();
  std::istringstream files(anew ? std::string() : before.back().checkpoints);
  const int batch = config.backend.batch > 0
                        ? config.backend.batch
                        : automatic_batch(chain, backend_.preferred_batch(chain), 0.0, 0.5 * physical_memory_bytes(),
                                          batch_need(config, chain, backend_));
  for (int first = 0; first < stage.pilots; first += batch) {
    std::vector<Pilot> pilots(static_cast<std::size_t>(std::min(batch, stage.pilots - first)));
    for (std::size_t i = 0; i < pilots.size(); ++i) {
      pilots[i].realization = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i);
      files >> pilots[i].file >> pilots[i].digest;
    }
    if (!simulate_batch(chain, pilots, stage)) return std::nullopt;
  }
  return stage;
}

bool PilotStages::simulate_batch(const Chain& chain, std::span<Pilot> pilots, LadderStage& stage) {
  parallel_for(pilots.size(), threads_, [&](std::size_t i) {
    if (control_.stop) return;  // large graphs take seconds each
    Pilot& p = pilots[i];
    p.disorder = make_disorder(campaign_.config(), chain.lattice, p.realization);
    if (p.file.empty()) {
      p.state = initial_state(chain, p.realization);
      return;
    }
    try {
      p.state = read_checkpoint(checkpoint_path(campaign_.checkpoint_path({}), p.file), p.digest,
                                checkpoint_identity(campaign_.config(), chain, p.realization, 0));
    } catch (const FileError& error) {
      if (error.fault() == FileFault::withheld) throw;
      throw PilotStateLost(fmt::format("the checkpoint {} of a pilot is missing or damaged", p.file));
    }
  });
  if (control_.stop) return false;
  std::vector<RoundTask> tasks;
  for (Pilot& p : pilots) tasks.push_back({p.realization, &p.disorder, &p.state, &p.record});
  try {
    if (backend_.run_round(chain, tasks, control_) == RoundOutcome::abandoned) return false;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    throw DeviceError(failure.what());
  }

  parallel_for(pilots.size(), threads_, [&](std::size_t i) {
    Pilot& p = pilots[i];
    p.digest = state_digest(p.state);
    p.file = pilot_checkpoint_name(stage.L, stage.stage, p.realization, p.digest);
    write_checkpoint(campaign_.checkpoint_path(p.file), p.state);
  });
  for (const Pilot& p : pilots) {
    add(stage.exchange_attempts, p.record.exchange_attempts);
    add(stage.exchange_accepted, p.record.exchange_accepted);
    add(stage.walk_up, p.record.walk_up);
    add(stage.walk_down, p.record.walk_down);
    stage.round_trips += std::accumulate(p.record.round_trips.begin(), p.record.round_trips.end(), std::uint64_t{0});
    stage.checkpoints += p.file + " " + p.digest + "\n";
  }
  return true;
}

void PilotStages::remove_files(std::optional<int> first_kept) const {
  const int L = campaign_.config().model.L.at(size_index_);
  for (const auto& entry : fs::directory_iterator(campaign_.checkpoint_path(""))) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(file_prefix(L)) || (first_kept && name >= file_prefix(L, *first_kept))) continue;
    if (is_checkpoint_name(name)) remove_checkpoint(campaign_.checkpoint_path({}), name);
  }
}

}}  // namespace glassworks::scheduler

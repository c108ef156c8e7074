#include "scheduler/work/worker_pool.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/threads.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "scheduler/ladder/ladder_pilots.hpp"
#include "scheduler/ladder/pilot_stage.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// With the temperatures that the database holds: a ladder may have been adapted.
Chains stored_chains(Campaign& campaign) {
  const Config& config = campaign.config();
  const std::vector<SizeRow> sizes = campaign.database().sizes();
  Chains chains;
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    const auto size = std::find_if(sizes.begin(), sizes.end(), [L](const SizeRow& row) { return row.L == L; });
    if (size == sizes.end()) throw std::logic_error("stored_chains: the campaign has no such size");
    chains.emplace(L, make_chain(config, i, size->temperatures));
  }
  return chains;
}

}  // namespace

WorkerPool::WorkerPool(Campaign& campaign, std::vector<WorkerBackend> backends, const Provenance& provenance)
    : campaign_(campaign), backends_(std::move(backends)), provenance_(provenance) {
  if (backends_.empty()) throw std::invalid_argument("WorkerPool: no backend");
}

/// On the first device that does not fail. False: a stop was asked for.
bool WorkerPool::adapt_ladders_first(LeaseKeeper& keeper, RoundControl& control, const RunObserver& observer) {
  const std::vector<SizeRow> sizes = campaign_.database().sizes();
  if (std::none_of(sizes.begin(), sizes.end(), [](const SizeRow& size) { return size.adapting; })) return true;
  for (;;) {
    const std::int64_t worker = keeper.worker();
    const int device = backends_.front().device;
    try {
      return adapt_ladders(campaign_, worker, *backends_.front().backend, control, observer);
    } catch (const LeaseLost& lost) {
      if (observer.note) observer.note(lost.what());
      keeper.register_again(worker);
    } catch (const DeviceError& error) {
      const auto is_lost = [device](const WorkerBackend& backend) { return backend.device == device; };
      if (std::all_of(backends_.begin(), backends_.end(), is_lost)) throw;
      if (observer.device_failed) observer.device_failed(backends_.front().backend->description(), error.what());
      std::erase_if(backends_, is_lost);
    }
  }
}

RunOutcome WorkerPool::run(RoundControl& control, RunObserver observer, const Service& serve) {
  LeaseKeeper keeper(campaign_, describe(backends_));
  if (!adapt_ladders_first(keeper, control, observer)) return RunOutcome::stopped;

  const Chains chains = stored_chains(campaign_);
  if (coordinates_only_) backends_.clear();
  BatchQueue queue(campaign_, keeper, chains, control, std::move(observer));
  const int count = static_cast<int>(backends_.size());
  const WorkSite site{campaign_.config(),
                      campaign_.checkpoint_path({}),
                      chains,
                      provenance_,
                      std::max(count, 1),
                      sharers_ > 0 ? sharers_ : std::max(count, 1),
                      threads_};
  std::vector<Worker> workers;
  workers.reserve(backends_.size());
  for (WorkerBackend& backend : backends_) {
    queue.enter(backend.device, 1);
    workers.emplace_back(site, std::move(backend), static_cast<int>(workers.size()));
    if (deadline_) workers.back().set_deadline(*deadline_);
  }
  backends_.clear();
  {
    std::vector<Thread> threads;
    try {
      for (Worker& worker : workers) threads.emplace_back([&] { worker.run(queue, control); });
      if (serve) serve(queue, chains);
    } catch (...) {
      queue.abort(std::current_exception());
    }
  }
  for (const Worker& worker : workers) times_ += worker.times();
  return queue.outcome();
}

}}  // namespace glassworks::scheduler

#include "scheduler/worker_pool.hpp"

#include <stdexcept>
#include <thread>
#include <utility>

namespace glassworks {

WorkerPool::WorkerPool(Campaign& campaign, std::vector<WorkerBackend> backends, const Provenance& provenance)
    : campaign_(campaign) {
  if (backends.empty()) throw std::invalid_argument("WorkerPool: no backend");
  const Config& config = campaign.config();
  for (std::size_t i = 0; i < config.model.L.size(); ++i) chains_.emplace(config.model.L[i], make_chain(config, i));
  const int count = static_cast<int>(backends.size());
  for (WorkerBackend& backend : backends) {
    ++workers_of_device_[backend.device];
    workers_.emplace_back(campaign, chains_, std::move(backend), provenance, count);
  }
}

RunOutcome WorkerPool::run(RoundControl& control, RunObserver observer) {
  campaign_.remove_orphans();
  BatchQueue queue(campaign_, chains_, workers_of_device_, control, std::move(observer));
  {
    std::vector<std::jthread> threads;
    for (Worker& worker : workers_) threads.emplace_back([&] { worker.run(queue, control); });
  }
  return queue.outcome();
}

TimeShares WorkerPool::times() const {
  TimeShares sum;
  for (const Worker& worker : workers_) {
    const TimeShares& t = worker.times();
    sum.rounds += t.rounds;
    sum.checkpoints += t.checkpoints;
    sum.database += t.database;
    sum.idle += t.idle;
  }
  return sum;
}

}  // namespace glassworks

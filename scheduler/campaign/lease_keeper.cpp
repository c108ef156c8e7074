#include "scheduler/campaign/lease_keeper.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "scheduler/campaign/process.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

constexpr std::int64_t longest_lease_ms = 86'400'000;  // of a configuration

Database connect(const Campaign& campaign) {
  return Database::open(campaign.config().campaign.directory / database_file_name, DatabaseAccess::read_write);
}

}  // namespace

LeaseKeeper::LeaseKeeper(const Campaign& campaign, std::string backend)
    : campaign_(campaign),
      backend_(std::move(backend)),
      lease_seconds_(campaign.config().workers.lease_seconds),
      publisher_(campaign.config().campaign.directory) {
  Database database = connect(campaign);
  worker_ = database.add_worker(this_process(backend_, lease_seconds_));
  end_leases_of_dead_workers(database);
  thread_ = Thread([this](const std::stop_token& stop) { keep(stop); });
}

LeaseKeeper::~LeaseKeeper() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  try {
    connect(campaign_).remove_worker(worker_, LeaseEnd::given_back);
  } catch (const std::exception&) {
    // Where nothing can be written any more, others see that this process has ended.
  }
}

void LeaseKeeper::register_again(std::int64_t lost) {
  const std::lock_guard lock(entering_);
  if (worker_ != lost) return;
  Database database = connect(campaign_);
  worker_ = database.add_worker(this_process(backend_, lease_seconds_));
  database.remove_worker(lost, LeaseEnd::given_back);  // if it only expired and nobody has noticed
}

void LeaseKeeper::keep(const std::stop_token& stop) {
  constexpr auto look_interval = std::chrono::seconds(1);
  const std::int64_t lease = std::int64_t{1000} * lease_seconds_;
  // Some renewals may be late, of the lease or of the lock.
  const std::chrono::milliseconds renewal_interval(std::min(lease, std::int64_t{1000} * CampaignLock::silence_seconds) /
                                                   6);
  std::optional<Database> database;
  Clock::time_point renewed = Clock::now(), looked = renewed;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, look_interval, [] { return false; });
    }
    if (stop.stop_requested()) return;
    // A failure here is no reason to end: leases that cannot be renewed expire, and the next commit says what is wrong.
    try {
      const Clock::time_point now = Clock::now();
      if (now - looked > std::chrono::milliseconds(lease / 2)) seen_.clear();  // not observed in between
      looked = now;
      if (!database) database = connect(campaign_);
      if (now - renewed >= renewal_interval) {
        campaign_.renew_lock();
        const std::int64_t worker = worker_, time = now_ms();
        if (!database->heartbeat(worker, time, time + lease)) register_again(worker);
        renewed = now;
      }
      end_leases_of_dead_workers(*database);
    } catch (const std::exception&) {
      database.reset();
    }
  }
}

/// A process that exited may have been killed by what it simulated, so this counts as a failed attempt; mere silence
/// does not.
void LeaseKeeper::end_leases_of_dead_workers(Database& database) {
  for (const WorkerRow& worker : database.workers()) {
    if (worker.id == worker_) continue;
    if (!is_running(worker)) {
      database.remove_worker(worker.id, LeaseEnd::failed);
    } else if (lease_expired(worker)) {
      database.remove_worker(worker.id, LeaseEnd::given_back, worker.heartbeat);
    }
  }
}

/// Whether a worker's heartbeat has not changed for the length of its lease, by the steady clock of this process, which
/// also stops while the machine sleeps. The wall-clock times in the row are not used: that clock may have been changed.
bool LeaseKeeper::lease_expired(const WorkerRow& worker) {
  const Clock::time_point now = Clock::now();
  const auto [seen, is_new] = seen_.try_emplace(worker.id, Sign{worker.heartbeat, now});
  if (seen->second.heartbeat != worker.heartbeat) seen->second = {worker.heartbeat, now};
  const std::int64_t stated = worker.expires - worker.heartbeat;
  const std::int64_t lease = stated > 0 ? std::min(stated, longest_lease_ms) : std::int64_t{1000} * lease_seconds_;
  return now - seen->second.since > std::chrono::milliseconds(lease);
}

}}  // namespace glassworks::scheduler

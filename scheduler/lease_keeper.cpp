#include "scheduler/lease_keeper.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "scheduler/process.hpp"

namespace glassworks {
namespace {

Database connect(const Campaign& campaign) {
  return Database::open(campaign.config().directory / database_file_name, DatabaseAccess::read_write);
}

}  // namespace

LeaseKeeper::LeaseKeeper(const Campaign& campaign, std::string backend)
    : campaign_(campaign), backend_(std::move(backend)), lease_seconds_(campaign.config().lease_seconds) {
  Database database = connect(campaign);
  worker_ = database.add_worker(this_process(backend_, lease_seconds_));
  end_leases_of_the_gone(database);
  thread_ = std::jthread([this](const std::stop_token& stop) { keep(stop); });
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

void LeaseKeeper::enter_again() {
  Database database = connect(campaign_);
  const std::int64_t lost = worker_;
  worker_ = database.add_worker(this_process(backend_, lease_seconds_));
  database.remove_worker(lost, LeaseEnd::given_back);  // if it only expired and nobody has noticed
}

void LeaseKeeper::keep(const std::stop_token& stop) {
  constexpr auto look_interval = std::chrono::seconds(1);
  // Some renewals may be late, of the lease or of the lock.
  const std::int64_t renewal_interval = 1000LL * std::min(lease_seconds_, CampaignLock::silence_seconds) / 6;
  std::int64_t renewed = now_ms();
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, look_interval, [] { return false; });
    }
    if (stop.stop_requested()) return;
    // A failure here is no reason to end: leases that cannot be renewed expire, and the next commit says what is wrong.
    try {
      const std::int64_t now = now_ms();
      Database database = connect(campaign_);
      if (now - renewed >= renewal_interval) {
        campaign_.renew_lock();
        static_cast<void>(database.heartbeat(worker_, now, now + 1000LL * lease_seconds_));
        renewed = now;
      }
      end_leases_of_the_gone(database);
    } catch (const std::exception&) {
    }
  }
}

void LeaseKeeper::end_leases_of_the_gone(Database& database) {
  const std::int64_t now = now_ms();
  for (const WorkerRow& worker : database.workers()) {
    if (worker.id == worker_) continue;
    if (worker.expires < now || !is_running(worker)) database.remove_worker(worker.id, LeaseEnd::failed);
  }
}

}  // namespace glassworks

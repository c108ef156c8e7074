#include "scheduler/campaign/status_publisher.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>
#include <utility>

#include "db/copy.hpp"
#include "db/database.hpp"
#include "scheduler/campaign/stopwatch.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

namespace fs = std::filesystem;

using Seconds = std::chrono::duration<double>;

/// Whether a process of this machine, this one or another, has published within the interval.
bool is_fresh(const fs::path& file) {
  std::error_code unknown;
  const auto written = fs::last_write_time(file, unknown);
  if (unknown) return false;
  const Seconds age = fs::file_time_type::clock::now() - written;  // negative after the clock was set back
  return age >= Seconds(-1.0) && age < Seconds(0.9 * StatusPublisher::interval_seconds);
}

}  // namespace

StatusPublisher::StatusPublisher(fs::path campaign)
    : campaign_(std::move(campaign)),
      target_(campaign_ / status_file_name),
      thread_([this](const std::stop_token& stop) { publish(stop); }) {}

StatusPublisher::~StatusPublisher() {
  thread_.request_stop();
  thread_.join();
  std::error_code ignored;  // the next run replaces it
  fs::remove(target_, ignored);
}

void StatusPublisher::publish(const std::stop_token& stop) const {
  std::optional<CampaignCopier> copier;
  Seconds pause(0.5);  // a run of a moment needs no copy
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, stop, pause, [] { return false; });
    }
    if (stop.stop_requested()) return;
    pause = Seconds(interval_seconds);
    // A failure is no reason to end: people see how old the last copy is.
    try {
      if (is_fresh(target_)) continue;
      if (!copier) copier.emplace(campaign_ / database_file_name, target_);
      const Stopwatch watch;
      copier->copy_if_changed();
      pause = std::max(pause, Seconds(20.0 * watch.total()));  // a slow disk has other work
    } catch (const std::exception&) {
      copier.reset();
    }
  }
}

}}  // namespace glassworks::scheduler

#include <algorithm>

#include "engine/loading/memory.hpp"
#include "scheduler/devices/batch_size.hpp"
#include "scheduler/work/worker.hpp"

/// How large a batch of a worker may be, and how long it stays.
namespace glassworks { inline namespace scheduler {

/// Batches of all workers together take at most half of the memory. On the processor the time is proportional to the
/// batch, beyond one for each thread.
BatchLimits Worker::batch_limits() const {
  BatchLimits limits;
  for (const auto& [L, chain] : site_.chains) {
    const auto measured = seconds_per_round_.find(L);
    const double seconds = measured != seconds_per_round_.end() ? measured->second : 0.0;
    const int given = site_.config.backend.batch, preferred = preferred_batch_.at(L);
    limits.largest[L] = given > 0 ? given
                                  : automatic_batch(chain, preferred, seconds,
                                                    0.5 * physical_memory_bytes() / site_.sharers, need_.at(L));
    limits.width[L] = std::min(limits.largest[L], preferred > 0 ? batch_width_.at(L) : threads_);
  }
  return limits;
}

bool Worker::ends_before_deadline() const {
  if (!deadline_) return true;
  return std::chrono::steady_clock::now() + std::chrono::duration<double>(1.1 * longest_turn_) < *deadline_;
}

/// Before the first checkpoints of a size nothing is known of their time.
double Worker::stay_seconds(int L, std::size_t members) const {
  const auto written = writing_seconds_.find(L);
  const double writing = written != writing_seconds_.end() ? written->second * static_cast<double>(members) : 0.0;
  return site_.config.checkpoint.stay_seconds(reading_seconds_ + writing);
}

}}  // namespace glassworks::scheduler

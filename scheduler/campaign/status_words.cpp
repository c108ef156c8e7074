#include "scheduler/campaign/status_words.hpp"

namespace glassworks { inline namespace scheduler {

const char* status_word(const Config& config, RealizationStatus status) {
  if (!config.course.exists()) return to_string(status);
  switch (status) {
    case RealizationStatus::equilibrating:
    case RealizationStatus::producing:
      return "running";
    case RealizationStatus::converged:
      return "complete";
    case RealizationStatus::queued:
    case RealizationStatus::failed:
    case RealizationStatus::quarantined:
      break;
  }
  return to_string(status);
}

}}  // namespace glassworks::scheduler

#include "engine/bins/records.hpp"

#include <stdexcept>

namespace glassworks { inline namespace engine {

const char* to_string(RealizationStatus status) {
  switch (status) {
    case RealizationStatus::queued:
      return "queued";
    case RealizationStatus::equilibrating:
      return "equilibrating";
    case RealizationStatus::producing:
      return "producing";
    case RealizationStatus::converged:
      return "converged";
    case RealizationStatus::failed:
      return "failed";
    case RealizationStatus::quarantined:
      return "quarantined";
  }
  throw std::logic_error("to_string(RealizationStatus): not a status");
}

bool is_finished(RealizationStatus status) {
  return status == RealizationStatus::converged || status == RealizationStatus::failed ||
         status == RealizationStatus::quarantined;
}

}}  // namespace glassworks::engine

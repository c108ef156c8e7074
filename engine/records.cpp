#include "engine/records.hpp"

#include <stdexcept>

namespace glassworks {

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
  }
  throw std::logic_error("to_string(RealizationStatus): not a status");
}

}  // namespace glassworks

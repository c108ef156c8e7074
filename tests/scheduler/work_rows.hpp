#pragma once

#include <cstdint>

#include "engine/bins/records.hpp"
#include "engine/config/config.hpp"

/// What the tests of the order of work share.
namespace glassworks::testing {

inline const ConvergenceConfig config{.min_rounds = 16, .max_rounds = 1024};

inline RealizationRow row(RealizationKey key, std::uint32_t rounds, std::uint32_t expected = 0) {
  RealizationRow r;
  r.key = key;
  r.rounds = rounds;
  r.status = rounds == 0 ? RealizationStatus::queued : RealizationStatus::equilibrating;
  r.judgement.expected_rounds = expected;
  return r;
}

}  // namespace glassworks::testing

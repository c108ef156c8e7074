#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "kernels/make_backend.hpp"
#include "tools/bench/proposal_estimate.hpp"

namespace glassworks { inline namespace tools {

/// What pilots of one size have shown.
struct PilotOutcome {
  std::vector<PilotLength> pilots;  ///< empty: none was long enough for a judgement
  double seconds = 0.0;             ///< device or core seconds of a round of one realization
  double shared = 0.0;              ///< WordCost::shared, of chains with words
  int batch = 0;                    ///< pilots of the first batch, which were simulated together
};

struct PilotLimits {
  double seconds = 0.0;        ///< for all pilots [s]
  double round_seconds = 0.0;  ///< expected, of a round of one realization of a batch, by the wall clock
  double rounds = 0.0;         ///< expected mean length; 0: not known
  int threads = 1;             ///< of a processor, which are to be kept busy; of a GPU 1
  int preferred = 0;           ///< realizations that keep a device busy; 0: any number
  int largest = 1;             ///< pilots that fit into memory together
  int realizations = 1;        ///< of the campaign
};

/// Pilots of the first batch: as many as should come to their end in a third of the time, at most 64 (512 on a
/// device that prefers many), in multiples of the threads; 0 where not even one for each thread would be judged.
[[nodiscard]] int pilot_batch(const PilotLimits& limits, const ConvergenceConfig& config);

/// Simulates the first realizations of a campaign in memory, as the campaign would, each until the convergence rule
/// ends it or the time is over; batch after batch, until their mean length is known within a tenth. A batch whose first
/// judgement the time does not reach is dropped as a whole, so that pilots are not chosen by their length: before
/// min_rounds, only where nearly all times are resolved.
///
/// chain          of the size, without samples; the disorder is that of `config`
/// is_processor   costs are processor seconds, else wall
/// control        a stop ends the pilots early
[[nodiscard]] PilotOutcome run_pilots(const Config& config, Chain chain, Backend& backend, bool is_processor,
                                      const PilotLimits& limits, RoundControl& control);

}}  // namespace glassworks::tools

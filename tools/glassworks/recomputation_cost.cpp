#include "tools/glassworks/recomputation_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "engine/loading/memory.hpp"
#include "scheduler/histories/start.hpp"
#include "tools/glassworks/round_timing.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Seconds of a spin update: none takes longer, measurements and exchanges included, and none is faster on any machine.
constexpr double slowest_update = 2e-6, fastest_update = 1e-11;
constexpr double few_seconds = 10.0;       // what is shorter even with the slowest updates is not timed
constexpr double usual_update = 2e-8;      // of one core: bounds what a timing may take
constexpr double measurement_updates = 5;  // what measuring a site is worth

/// Work of a step with its measurement, and of a round [spin updates].
struct Work {
  double step = 0.0, round = 0.0;
};

Work work_of(const Chain& chain) {
  const Protocol& protocol = chain.protocol;
  const auto spins = static_cast<double>(chain.lattice.sites()) * chain.replicas();
  const double sweeps = static_cast<double>(protocol.sweeps_per_exchange) *
                        (static_cast<double>(chain.sweeps_per_repetition()) + protocol.isoenergetic);
  const double measurement = measurement_updates * spins;
  return {spins * sweeps + measurement,
          chain.measurements * (protocol.exchanges_per_measurement * spins * sweeps + measurement)};
}

std::string refusal(double seconds, double allowed, const char* about) {
  return fmt::format("that takes {} {}, and {} are allowed (--time-limit allows more)", about,
                     duration_text(std::min(seconds, 1e12)), duration_text(allowed));
}

}  // namespace

void RecomputationCost::add(const Config& config, const Chain& chain, std::uint32_t rounds) {
  double more = rounds;
  if (chain.start == Start::annealed) more += static_cast<double>(annealing_measurements) / chain.measurements;
  Part& part = parts_.try_emplace({&config, chain.lattice.L}, Part{chain}).first->second;
  part.rounds += more;
  const Work work = work_of(chain);
  updates_ += more * work.round;
  step_updates_ = std::max(step_updates_, work.step);
  bytes_ = std::max(bytes_, realization_bytes(chain.lattice, chain.slots(), chain.copies, chain.model) +
                                sample_bytes(BinLayout(chain), chain.slots(), chain.samples));
}

std::string RecomputationCost::estimate(const std::function<Backend&(const Config&)>& backend_of) {
  constexpr double usable = 0.8;
  if (const double memory = usable * physical_memory_bytes(); bytes_ > memory) {
    return fmt::format("a realization takes {:.1f} GB of memory, and this machine has {:.1f} GB", 1e-9 * bytes_,
                       1e-9 * memory / usable);
  }
  seconds_ = updates_ * slowest_update;
  if (seconds_ <= std::min(few_seconds, allowed_)) return {};
  timed_ = true;
  if (const double least = updates_ * fastest_update; least > allowed_) return refusal(least, allowed_, "more than");
  if (const double step = 5.0 * step_updates_ * usual_update; step > allowed_) {
    return refusal(std::max(step, updates_ * usual_update), allowed_, "about");
  }
  seconds_ = 0.0;
  for (const auto& [place, part] : parts_) {
    seconds_ +=
        part.rounds *
        time_round(*place.first, part.chain, backend_of(*place.first), 1, usable * physical_memory_bytes()).seconds;
  }
  return seconds_ > allowed_ ? refusal(seconds_, allowed_, "about") : std::string();
}

}}  // namespace glassworks::tools

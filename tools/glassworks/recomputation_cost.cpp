#include "tools/glassworks/recomputation_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "engine/loading/memory.hpp"
#include "kernels/rounds/course.hpp"
#include "scheduler/histories/start.hpp"
#include "tools/glassworks/round_timing.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Seconds of a spin update: none takes longer, measurements and exchanges included, and none is faster on any machine.
constexpr double slowest_update = 2e-6, fastest_update = 1e-11;
constexpr double few_seconds = 10.0;       // what is shorter even with the slowest updates is not timed
constexpr double usual_update = 2e-8;      // of one core: bounds what a timing may take
constexpr double measurement_updates = 5;  // what measuring a site is worth
constexpr double usable = 0.8;             // of the memory

double spins_of(const Chain& chain) { return static_cast<double>(chain.lattice.sites()) * chain.replicas(); }

double measurement_of(const Chain& chain) { return measurement_updates * spins_of(chain); }

double bytes_of(const Chain& chain) {
  return realization_bytes(chain.lattice, chain.slots(), chain.copies, chain.model) +
         sample_bytes(BinLayout(chain), chain.slots(), chain.samples);
}

/// Work of a step with its measurement, and of a round [spin updates].
struct Work {
  double step = 0.0, round = 0.0;
};

Work work_of(const Chain& chain) {
  const Protocol& protocol = chain.protocol;
  const double spins = spins_of(chain);
  const double sweeps = static_cast<double>(protocol.sweeps_per_exchange) *
                        (static_cast<double>(chain.sweeps_per_repetition()) + protocol.isoenergetic);
  const double measurement = measurement_of(chain);
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
  // Rounds of a course grow with time: the first ones are counted in rounds of average length.
  const double mean = mean_updates_of_round(chain), first = updates_of_rounds(chain, 0, rounds);
  if (chain.course != nullptr && mean > 0.0) more = first / mean;
  Part& part = parts_.try_emplace({&config, chain.lattice.L}, Part{chain}).first->second;
  part.rounds += more;
  const Work work = work_of(chain);
  updates_ += chain.course != nullptr ? first + rounds * measurement_of(chain) : more * work.round;
  step_updates_ = std::max(step_updates_, work.step);
  bytes_ = std::max(bytes_, bytes_of(chain));
}

std::string RecomputationCost::estimate(const std::function<Backend&(const Config&)>& backend_of) {
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

std::size_t AffordableRounds::choose(const Config& config, const Chain& chain, const std::vector<std::uint32_t>& counts,
                                     std::uint32_t least, Backend& backend) {
  const auto last_where = [&](const auto& holds) {
    std::size_t place = 0;
    while (place + 1 < counts.size() && holds(counts[place + 1])) ++place;
    return place;
  };
  const auto work = [&](std::uint32_t rounds) {
    return updates_of_rounds(chain, 0, rounds) + rounds * measurement_of(chain);
  };
  if (work(counts.back()) * slowest_update <= seconds_) return counts.size() - 1;
  const std::size_t few = last_where([&](std::uint32_t rounds) { return rounds <= least; });
  const double memory = usable * physical_memory_bytes();
  if (bytes_of(chain) > memory || 5.0 * work_of(chain).step * usual_update > seconds_) return few;
  const auto [place, is_new] = seconds_per_update_.try_emplace({&config, chain.lattice.L}, 0.0);
  if (is_new) place->second = time_round(config, chain, backend, 1, memory).seconds / mean_updates_of_round(chain);
  return std::max(few, last_where([&](std::uint32_t rounds) { return work(rounds) * place->second <= seconds_; }));
}

}}  // namespace glassworks::tools

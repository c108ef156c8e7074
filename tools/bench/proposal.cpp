#include "tools/bench/proposal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/loading/memory.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/devices/worker_backends.hpp"
#include "tools/bench/proposal_pilots.hpp"
#include "tools/glassworks/campaign_means.hpp"
#include "tools/glassworks/course_options.hpp"
#include "tools/glassworks/doctor_machine.hpp"
#include "tools/glassworks/dry_run.hpp"
#include "tools/glassworks/round_timing.hpp"

namespace glassworks { inline namespace tools {
namespace {

/// Other programs, and what a campaign does beside its rounds.
constexpr double error_of_speed = 1.25, error_of_scaled_speed = 1.5;

/// The estimate of a proposal, size after size.
class Proposer {
 public:
  Proposer(const ProposalOptions& options, std::vector<WorkerBackend> backends, RoundControl& control)
      : options_(options),
        config_(options.config),
        means_(means_of(options.config, std::move(backends))),
        clock_(means_.gpu ? Clock::wall : Clock::process),
        control_(control) {
    for (std::size_t i = 0; i < config_.model.L.size(); ++i) order_.push_back(i);
    std::ranges::sort(order_, {}, [this](std::size_t i) { return config_.model.L[i]; });
  }

  Proposal run() {
    refuse_course(config_, "bench --proposal", "its length is known",
                  "Use `glassworks run --dry-run`, which tells what it takes");
    describe_machine();
    for (const std::size_t i : order_) {
      if (!control_.stop) time_size(i);
    }
    for (std::size_t at = 0; at < sizes_.size() && !control_.stop; ++at) pilot_size(at);
    extrapolate();
    for (Size& size : sizes_) {
      finish(size);
      proposal_.sizes.push_back(size.result);
    }
    proposal_.stopped = control_.stop;
    return std::move(proposal_);
  }

 private:
  struct Size {
    Chain chain;
    RoundTiming timing;
    MemoryNeed need;
    SizeProposal result;
    WordCost words;
  };

  void describe_machine() {
    proposal_.device =
        fmt::format("{}{}", describe(means_.backends), means_.gpu ? "" : ", " + this_machine().processor);
    proposal_.unit = means_.unit;
    proposal_.units = means_.gpu ? means_.devices : means_.units_per_device;
    if (config_.ladder.adapt != LadderAdaptation::none) {
      proposal_.notes.emplace_back(
          "The ladder is the one that the campaign begins with; ladder.adapt moves its temperatures, and its stages "
          "come "
          "on top.");
    }
    if (config_.campaign.second_start != SecondStart::none) {
      proposal_.notes.push_back(fmt::format("Second histories are not counted: {:.3g} of the cost on top.",
                                            config_.campaign.second_start_fraction));
    }
  }

  void time_size(std::size_t i) {
    Size size;
    const std::vector<double> temperatures = ladder_temperatures(config_, i);
    size.chain = make_chain(config_, i, temperatures);
    Backend& backend = means_.first();
    if (const std::string refusal = backend.refusal(size.chain); !refusal.empty()) {
      throw InputError(InputFault::unsupported, "--config", refusal);
    }
    SizeProposal& r = size.result;
    r.L = config_.model.L[i];
    r.realizations = realizations_of(config_, i);
    r.slots = size.chain.slots();
    r.copies = size.chain.copies;
    r.measurements = size.chain.measurements;
    size.need = batch_need(config_, size.chain, backend);
    const int batch = timed_batch(config_, size.chain, r.realizations, means_, size.need);
    options_.progress(fmt::format("L = {}: timing rounds", r.L));
    const double wall = seconds_now(Clock::wall), spent = seconds_now(Clock::process);
    size.timing = time_round(config_, size.chain, backend, batch, usable_memory(), clock_);
    if (!means_.gpu) {  // others on the machine stretch the time
      const double idle = (seconds_now(Clock::process) - spent) / std::min<double>(batch, means_.units_per_device);
      slowness_ = std::max(1.0, (seconds_now(Clock::wall) - wall) / idle);
    }
    r.round_seconds = size.timing.seconds;
    r.smaller_timed = size.timing.lattice != size.chain.lattice;
    if (size.chain.protocol.multispin != MultispinRule::off && !size.chain.has_copy_lanes()) {
      size.words = {static_cast<int>(multispin_group), 1.0};
    }
    sizes_.push_back(std::move(size));
  }

  [[nodiscard]] PilotLimits limits_of(const Size& size, const Chain& chain, double seconds) const {
    const double sites = static_cast<double>(chain.lattice.sites()) / static_cast<double>(size.chain.lattice.sites());
    const double speed_up = means_.gpu ? 1.0 : means_.units_per_device / slowness_;
    const double history = config_.convergence.max_rounds * database_bytes_per_round(chain);
    const double fitting = (0.5 * usable_memory() - size.need.shared) / (size.need.each + history);
    return {.seconds = seconds,
            .round_seconds = size.result.round_seconds * sites / speed_up,
            .rounds = measurements_so_far_ / chain.measurements,
            .threads = means_.gpu ? 1 : static_cast<int>(means_.units_per_device),
            .preferred = config_.backend.batch > 0 ? 0 : means_.first().preferred_batch(chain),
            .largest = static_cast<int>(std::clamp(fitting, 1.0, 1e6)),
            .realizations = size.result.realizations};
  }

  [[nodiscard]] double seconds_left() const { return options_.seconds - watch_.total(); }

  /// Time for one size: an even share of what is left among those that can be simulated in it; one share more is kept
  /// where some cannot.
  [[nodiscard]] double share_of(std::size_t at) const {
    const double left = seconds_left();
    std::size_t able = 0, unable = 0;
    for (std::size_t i = at; i < sizes_.size(); ++i) {
      ++(pilot_batch(limits_of(sizes_[i], sizes_[i].chain, left), config_.convergence) > 0 ? able : unable);
    }
    if (able == 0) return 0.0;
    return left / static_cast<double>(able + (unable > 0 && piloted_.size() + able < 2 ? 1 : 0));
  }

  void pilot_size(std::size_t at) {
    Size& size = sizes_[at];
    const PilotLimits limits = limits_of(size, size.chain, share_of(at));
    const PilotOutcome outcome = pilots_of(config_, size.chain, limits);
    if (outcome.pilots.empty()) return;
    SizeProposal& r = size.result;
    r.source = SizeProposal::Source::pilots;
    r.pilots = static_cast<int>(outcome.pilots.size());
    for (const PilotLength& p : outcome.pilots) {
      r.ended += p.ended ? 1 : 0;
      r.longest = std::max(r.longest, p.expected);
    }
    if (!means_.gpu) r.round_seconds = outcome.seconds;  // in equilibrium, and with the decisions
    if (size.words.lanes > 1) size.words.shared = outcome.shared;
    r.rounds = mean_rounds(outcome.pilots, config_.convergence, r.realizations, size.words);
    measurements_so_far_ = r.rounds.value * r.measurements;
    piloted_.push_back({r.L, r.measurements, outcome.pilots});
  }

  PilotOutcome pilots_of(const Config& config, Chain chain, const PilotLimits& limits) {
    const int batch = pilot_batch(limits, config.convergence);
    if (batch == 0) return {};
    options_.progress(fmt::format("L = {}: {} pilots, at most {:.0f} s", chain.lattice.L, batch, limits.seconds));
    chain.samples = 0;
    return run_pilots(config, std::move(chain), means_.first(), !means_.gpu, limits, control_);
  }

  void extrapolate() {
    const auto open =
        std::ranges::find(sizes_, SizeProposal::Source::unknown, [](const Size& s) { return s.result.source; });
    if (open == sizes_.end()) return;
    if (piloted_.size() < 2 && !control_.stop) pilot_smaller(*open);
    if (piloted_.empty()) return;
    proposal_.growth = growth_of_tau(piloted_);
    for (Size& size : sizes_) {
      SizeProposal& r = size.result;
      if (r.source != SizeProposal::Source::unknown) continue;
      r.source = SizeProposal::Source::extrapolated;
      r.rounds = extrapolated_rounds(piloted_.back(), proposal_.growth, r.L, r.measurements, config_.convergence,
                                     r.realizations, size.words);
    }
  }

  /// Cubes below the size, with its ladder.
  void pilot_smaller(const Size& size) {
    const Lattice& lattice = size.chain.lattice;
    if (!lattice.is_cube() || lattice.is_graph() || size.chain.protocol.tile != 0 ||
        size.chain.protocol.kind == ProtocolKind::few_cluster) {
      return;
    }
    const Config config = without_files(config_);
    std::vector<PilotedSize> smaller;
    for (int L = 4; L < lattice.L && !control_.stop; L += 2) {
      Lattice cube = lattice;
      cube.L = L;
      const Chain chain = on_lattice(size.chain, cube);
      const PilotOutcome outcome = pilots_of(config, chain, limits_of(size, chain, 0.5 * seconds_left()));
      if (outcome.pilots.empty()) break;
      smaller.push_back({L, chain.measurements, outcome.pilots});
    }
    if (smaller.size() > piloted_.size()) piloted_ = std::move(smaller);
  }

  void finish(Size& size) const {
    SizeProposal& r = size.result;
    const ConvergenceConfig& rule = config_.convergence;
    if (r.source == SizeProposal::Source::unknown) {
      r.rounds = {std::sqrt(1.0 * rule.min_rounds * rule.max_rounds), 1.0 * rule.min_rounds, 1.0 * rule.max_rounds};
    }
    r.hours = r.rounds.times(r.round_seconds * r.realizations / 3600.0);
    const double error = r.smaller_timed ? error_of_scaled_speed : error_of_speed;
    r.hours.low /= error;
    r.hours.high *= error;
    const double seconds = size.timing.seconds / (means_.gpu ? 1.0 : means_.units_per_device);
    const int together = campaign_batch(config_, size.chain, r.realizations, means_, size.need, seconds);
    r.memory = size.need.of(together) * static_cast<double>(means_.backends.size());
    r.disk = r.rounds.times(database_bytes_per_round(size.chain) * r.realizations);
    const double checkpoints = checkpoint_generations * checkpoint_bytes(size.chain) * r.realizations;
    r.disk = {r.disk.value + checkpoints, r.disk.low + checkpoints, r.disk.high + checkpoints};
  }

  const ProposalOptions& options_;
  const Config& config_;
  Means means_;
  Clock clock_;
  RoundControl& control_;
  Stopwatch watch_;
  Proposal proposal_;
  std::vector<std::size_t> order_;  ///< of the sizes, ascending in L
  std::vector<Size> sizes_;
  std::vector<PilotedSize> piloted_;
  double slowness_ = 1.0;             ///< of the clock beside the processor time of all threads
  double measurements_so_far_ = 0.0;  ///< mean length of the last pilots
};

template <class Part>
std::vector<Ranged> parts_of(const std::vector<SizeProposal>& sizes, Part part) {
  std::vector<Ranged> parts;
  for (const SizeProposal& size : sizes) parts.push_back(size.*part);
  return parts;
}

}  // namespace

Ranged sum_of_independent(const std::vector<Ranged>& parts) {
  double value = 0.0, below = 0.0, above = 0.0;
  for (const Ranged& part : parts) {
    value += part.value;
    below += (part.value - part.low) * (part.value - part.low);
    above += (part.high - part.value) * (part.high - part.value);
  }
  return {value, value - std::sqrt(below), value + std::sqrt(above)};
}

Ranged Proposal::hours() const { return sum_of_independent(parts_of(sizes, &SizeProposal::hours)); }
Ranged Proposal::disk() const { return sum_of_independent(parts_of(sizes, &SizeProposal::disk)); }

double Proposal::memory() const {
  double most = 0.0;
  for (const SizeProposal& size : sizes) most = std::max(most, size.memory);
  return most;
}

Proposal propose(const ProposalOptions& options, std::vector<WorkerBackend> backends, RoundControl& control) {
  return Proposer(options, std::move(backends), control).run();
}

}}  // namespace glassworks::tools

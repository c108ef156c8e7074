#include "tools/bench/proposal_pilots.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "base/threads.hpp"
#include "kernels/rounds/chain_observables.hpp"
#include "scheduler/campaign/stopwatch.hpp"
#include "scheduler/convergence/convergence.hpp"
#include "tools/bench/timing.hpp"

namespace glassworks { inline namespace tools {
namespace {

constexpr int most_pilots = 64, most_pilots_of_device = 512;
constexpr std::uint32_t fewest_rounds = 8;  // of log-binning, and of any judgement here
constexpr double most_unresolved = 0.1;     // share of pilots that are judged before min_rounds

/// A realization and its history.
struct Pilot {
  std::uint32_t realization = 0;
  Disorder disorder;
  ChainState state;
  std::vector<RoundRow> history;
  PilotLength length;
};

/// Pilots that are simulated together.
class PilotBatch {
 public:
  PilotBatch(const Config& config, const Chain& chain, Backend& backend, Clock clock, RoundControl& control,
             std::uint32_t first, int count)
      : config_(config),
        chain_(chain),
        observables_(chain),
        backend_(backend),
        clock_(clock),
        control_(control),
        pilots_(static_cast<std::size_t>(count)) {
    parallel_for(pilots_.size(), hardware_threads(), [&](std::size_t i) {
      Pilot& p = pilots_[i];
      p.realization = first + static_cast<std::uint32_t>(i);
      p.disorder = make_disorder(config, chain.lattice, p.realization);
      p.state = initial_state(chain, p.realization);
    });
    for (Pilot& p : pilots_) open_.push_back(&p);
  }

  /// Rounds until all have ended, or a stop, or no time for another one is left [s].
  void run(double seconds) {
    const Stopwatch watch;
    double longest = 0.0;
    while (!open_.empty()) {
      std::vector<HeldTask> tasks;
      for (Pilot* p : open_) tasks.push_back({p->realization, &p->disorder, std::move(p->state)});
      const std::unique_ptr<HeldBatch> held = backend_.hold(chain_, std::move(tasks));
      bool some_ended = false;
      while (!some_ended) {
        const Stopwatch round;
        if (control_.stop || watch.total() + longest > seconds || !one_round(*held)) return;
        some_ended = look();
        longest = std::max(longest, round.total());
      }
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (!open_[i]->length.ended) open_[i]->state = held->state(i);
      }
      std::erase_if(open_, [](const Pilot* p) { return p->length.ended; });
    }
  }

  /// Of all pilots, those that have not ended judged by what they have; empty where that is too little.
  [[nodiscard]] std::vector<PilotLength> lengths() {
    const auto rounds = static_cast<std::uint32_t>(rounds_);
    const bool looked_at = rounds_ >= config_.convergence.min_rounds;
    if (rounds == 0 || (!looked_at && rounds < fewest_rounds)) return {};
    for (Pilot* p : open_) judge(*p);
    const auto unresolved = std::ranges::count_if(open_, [](const Pilot* p) { return !p->length.resolved; });
    if (!looked_at && static_cast<double>(unresolved) > most_unresolved * static_cast<double>(pilots_.size()))
      return {};
    std::vector<PilotLength> lengths;
    for (const Pilot& p : pilots_) lengths.push_back(p.length);
    return lengths;
  }

  /// Seconds of a round of one pilot, while all are there.
  [[nodiscard]] double seconds() const {
    return full_rounds_ > 0 ? full_seconds_ / full_rounds_ / static_cast<double>(pilots_.size()) : 0.0;
  }
  /// Of a word that realizations have left: the share of its time that does not depend on how many are there.
  [[nodiscard]] double shared() const {
    return share_weight_ > 0.0 ? std::clamp(share_ / share_weight_, 0.0, 1.0) : 1.0;
  }

 private:
  bool one_round(HeldBatch& held) {
    std::vector<RoundRecord> records(open_.size());
    RoundOutcome outcome = RoundOutcome::abandoned;
    const double spent = seconds_of([&] { outcome = held.run_round(records, control_); }, clock_);
    if (outcome == RoundOutcome::abandoned) return false;
    count(spent);
    ++rounds_;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      Pilot& p = *open_[i];
      p.history.push_back({static_cast<std::uint32_t>(p.history.size()), std::move(records[i]), 0.0, 0});
    }
    return true;
  }

  void count(double spent) {
    const double there = static_cast<double>(open_.size()) / static_cast<double>(pilots_.size());
    if (open_.size() == pilots_.size()) {
      full_seconds_ += spent;
      ++full_rounds_;
    } else if (there < 0.5) {  // t(k) = t(n) (s + (1 - s) k/n)
      share_ += spent / (full_seconds_ / full_rounds_) - there;
      share_weight_ += 1.0 - there;
    }
  }

  /// The decisions that are due. Whether some pilots have ended.
  bool look() {
    if (!decision_due(config_.convergence, static_cast<std::uint32_t>(rounds_))) return false;
    const double spent = seconds_of(
        [&] { parallel_for(open_.size(), hardware_threads(), [&](std::size_t i) { judge(*open_[i]); }); }, clock_);
    if (open_.size() == pilots_.size()) full_seconds_ += spent;
    return std::ranges::any_of(open_, [](const Pilot* p) { return p->length.ended; });
  }

  void judge(Pilot& p) const {
    const ConvergenceConfig& rule = config_.convergence;
    const Evidence evidence = examine(p.history, chain_.slots(), observables_, round_trips_in(p.history), rule.rule());
    const Decision decision = decide(rule, evidence);
    const auto rounds = static_cast<std::uint32_t>(p.history.size());
    PilotLength& length = p.length;
    length.rounds = rounds;
    length.tau = decision.judgement.tau;
    length.resolved = history_length(rule, evidence).resolved;
    length.ended = decision_due(rule, rounds) && is_finished(decision.status);
    length.expected =
        length.ended ? rounds : first_look_from(rule, std::max(decision.judgement.expected_rounds, rounds));
  }

  const Config& config_;
  const Chain& chain_;
  ChainObservables observables_;
  Backend& backend_;
  Clock clock_;
  RoundControl& control_;
  std::vector<Pilot> pilots_;
  std::vector<Pilot*> open_;
  int rounds_ = 0;
  double full_seconds_ = 0.0, full_rounds_ = 0.0, share_ = 0.0, share_weight_ = 0.0;
};

/// Whether the mean is known within a tenth.
bool is_enough(const std::vector<PilotLength>& pilots, const PilotLimits& limits, const ConvergenceConfig& config) {
  if (static_cast<int>(pilots.size()) >= std::min(4 * most_pilots, limits.realizations)) return true;
  const Ranged mean = mean_rounds(pilots, config, limits.realizations);
  return mean.high < 1.1 * mean.value;
}

}  // namespace

int pilot_batch(const PilotLimits& limits, const ConvergenceConfig& config) {
  const double least = std::min<double>(config.min_rounds, fewest_rounds);
  const double affordable = limits.seconds / limits.round_seconds;  // rounds of one realization
  const int most = std::min(limits.realizations, limits.largest);
  if (limits.preferred > 0) {  // the batch that was timed; fewer may take a device as long
    const int timed = std::min(limits.preferred, limits.realizations);
    return timed * least > affordable ? 0 : std::min({limits.preferred, most_pilots_of_device, most});
  }
  const int together = std::min(std::max(limits.threads, 1), most);
  if (together * least > affordable) return 0;
  const double expected = std::max<double>(limits.rounds, 1.5 * config.min_rounds);
  const double wanted = std::min(affordable / (3.0 * expected), static_cast<double>(most_pilots));
  return std::min(std::max(static_cast<int>(wanted / together), 1) * together, most);
}

PilotOutcome run_pilots(const Config& config, Chain chain, Backend& backend, bool is_processor,
                        const PilotLimits& limits, RoundControl& control) {
  const Stopwatch watch;
  PilotOutcome outcome;
  int batch = pilot_batch(limits, config.convergence), begun = 0;
  while (batch > 0 && !control.stop) {
    const auto first = static_cast<std::uint32_t>(config.disorder.first_realization + begun);
    PilotBatch pilots(config, chain, backend, is_processor ? Clock::process : Clock::wall, control, first, batch);
    const Stopwatch of_batch;
    pilots.run(limits.seconds - watch.total());
    const std::vector<PilotLength> lengths = pilots.lengths();
    if (begun == 0) {
      outcome.seconds = pilots.seconds();
      outcome.shared = pilots.shared();
      outcome.batch = batch;
    }
    begun += batch;
    outcome.pilots.insert(outcome.pilots.end(), lengths.begin(), lengths.end());
    if (lengths.empty() || begun >= limits.realizations || is_enough(outcome.pilots, limits, config.convergence)) break;
    // Another batch only if it will be looked at.
    const double rounds = std::max<double>(config.convergence.min_rounds, fewest_rounds);
    const double each = of_batch.total() / std::max(lengths.front().rounds, rounds);
    batch = std::min(batch, limits.realizations - begun);
    if (watch.total() + 1.2 * rounds * each > limits.seconds) break;
  }
  return outcome;
}

}}  // namespace glassworks::tools

#include "scheduler/ladder/ladder_pilots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <thread>

#include "engine/ladder/ladder_adaptation.hpp"
#include "scheduler/ladder/pilot_stage.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

/// "acceptance 0.12 to 0.71 (smallest at T = 0.2), Lambda = 9.8"
std::string exchange_text(const LadderStage& statistics) {
  const std::vector<double> rejections = pair_rejections(statistics);
  const auto [lowest, highest] = std::ranges::minmax_element(rejections);
  const auto pair = static_cast<std::size_t>(highest - rejections.begin());
  return fmt::format("acceptance {:.2f} to {:.2f} (smallest at T = {:.5g}), Lambda = {:.1f}", 1.0 - *highest,
                     1.0 - *lowest, statistics.temperatures[pair], communication_barrier(statistics));
}

void post(const std::function<void(const std::string&)>& channel, const std::string& text) {
  if (channel) channel(text);
}

/// The adaptation of one size. The database holds all that is known, so every step begins with reading it.
class LadderOfSize {
 public:
  LadderOfSize(Campaign& campaign, std::size_t size_index, std::int64_t worker, Backend& backend, RoundControl& control,
               const RunObserver& observer)
      : campaign_(campaign),
        database_(campaign.database()),
        worker_(worker),
        control_(control),
        observer_(observer),
        L_(campaign.config().model.L.at(size_index)),
        pilots_(campaign, size_index, backend, control) {}

  /// Until the ladder is frozen, here or by another worker; false if a stop was asked for.
  bool adapt() {
    while (adapting()) {
      if (control_.stop) return false;
      if (!database_.claim_ladder(L_, worker_)) {
        wait();
      } else if (adapting()) {  // still, now that nobody else can freeze it
        if (!add_stage()) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool adapting() const {
    const std::vector<SizeRow> sizes = database_.sizes();
    const auto size = std::ranges::find(sizes, L_, &SizeRow::L);
    return size != sizes.end() && size->adapting;
  }

  /// Waits for the claim on the ladder. The claim ends when its worker is removed; a removed worker can never get it,
  /// so this throws.
  void wait() const {
    const std::vector<WorkerRow> workers = database_.workers();
    if (std::ranges::find(workers, worker_, &WorkerRow::id) == workers.end()) {
      throw LeaseLost(
          fmt::format("the ladder of L = {} cannot be adapted (worker {} sent no heartbeat for too long and was "
                      "removed). Run the same command again.",
                      L_, worker_));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }

  bool add_stage() {
    std::vector<LadderStage> stages = database_.ladder_stages(L_);
    std::optional<LadderStage> next;
    try {
      next = pilots_.simulate(stages);
    } catch (const PilotStateLost& lost) {
      if (!database_.claim_ladder(L_, worker_)) return true;  // a successor is further and has removed them
      post(observer_.note,
           fmt::format("L = {}: {}; {} ladder stages are simulated again.", L_, lost.what(), stages.size()));
      if (!simulate_again(stages)) return false;
      next = pilots_.simulate(stages);
    }
    if (!next) return false;
    const bool last = next->stage + 1 == campaign_.config().ladder.adapt_rounds;
    database_.add_ladder_stage(worker_, *next, last ? &next->temperatures : nullptr);
    pilots_.remove_files(last ? std::nullopt : std::optional(next->stage));
    stages.push_back(*std::move(next));
    report(stages, last);
    return true;
  }

  /// All stages from the initial states: a pure function of configuration and seed, so they come out as stored.
  bool simulate_again(const std::vector<LadderStage>& stages) {
    for (std::size_t k = 0; k < stages.size(); ++k) {
      const std::optional<LadderStage> again = pilots_.simulate(std::span(stages).first(k));
      if (!again) return false;
      if (again->checkpoints != stages[k].checkpoints || again->temperatures != stages[k].temperatures) {
        throw std::runtime_error(
            fmt::format("the ladder of L = {} cannot be adapted any further (checkpoints of its pilots are lost, and "
                        "stage {} comes out differently now). Use the program that began the campaign, or start the "
                        "campaign again.",
                        L_, k + 1));
      }
      pilots_.remove_files(again->stage);
    }
    return true;
  }

  void report(std::span<const LadderStage> stages, bool frozen) const {
    const Config& config = campaign_.config();
    const LadderStage& last = stages.back();
    post(observer_.ladder, fmt::format("L = {}: ladder stage {} of {}: {}, {} round trips", L_, stages.size(),
                                       config.ladder.adapt_rounds, exchange_text(last), last.round_trips));
    if (!frozen) return;
    std::size_t same = 1;
    while (same < stages.size() && stages[stages.size() - same - 1].temperatures == last.temperatures) ++same;
    const LadderStage sum = sum_of_stages(stages.last(same));
    const double Lambda = communication_barrier(sum);
    std::string bound;
    if (config.protocol.exchange == ExchangeSchedule::even_odd) {
      const double steps = static_cast<double>(last.measurements) * config.protocol.exchanges_per_measurement;
      bound = fmt::format(" (at most {:.0f})",
                          round_trip_rate_bound(Lambda) * steps * config.replicas.copies * last.pilots);
    }
    post(observer_.ladder,
         fmt::format("L = {}: ladder frozen: {} temperatures, {}; round trips per stage: {} in the first, {} in the "
                     "last{}; this Lambda suggests {} slots",
                     L_, last.temperatures.size(), exchange_text(sum), stages.front().round_trips, last.round_trips,
                     bound, suggested_slots(Lambda)));
  }

  Campaign& campaign_;
  Database& database_;
  std::int64_t worker_;
  RoundControl& control_;
  const RunObserver& observer_;
  int L_;
  PilotStages pilots_;
};

}  // namespace

bool adapt_ladders(Campaign& campaign, std::int64_t worker, Backend& backend, RoundControl& control,
                   const RunObserver& observer) {
  for (std::size_t i = 0; i < campaign.config().model.L.size(); ++i) {
    if (!LadderOfSize(campaign, i, worker, backend, control, observer).adapt()) return false;
  }
  return true;
}

}}  // namespace glassworks::scheduler

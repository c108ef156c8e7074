#include "scheduler/convergence/convergence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace glassworks { inline namespace scheduler {
namespace {

/// `multiple` times tau [rounds].
double rounds_of_tau(const Evidence& evidence, double multiple) {
  return multiple * evidence.tau().tau / evidence.measurements;
}

/// Rounds that the demand on the length asks for.
double demanded_rounds(const HistoryLength& length, const Evidence& evidence) {
  return length.needed * length.tau / evidence.measurements;
}

std::uint32_t equilibration_rounds(const ConvergenceConfig& config, const Evidence& e) {
  if (config.left_out > 0.0) {  // a share that is a number of rounds but for rounding is that number
    const auto share = static_cast<std::uint32_t>(std::ceil(config.left_out * e.rounds * (1.0 - 1e-12)));
    return std::min(share, e.rounds - 1);
  }
  const std::uint32_t half = e.rounds / 2;
  if (config.n_tau == 0.0 || !e.tau().resolved || !e.log_binning.agrees()) return half;
  const double relaxation = std::ceil(rounds_of_tau(e, config.equilibration_tau));
  const auto least = static_cast<double>((e.rounds + 7) / 8);
  return static_cast<std::uint32_t>(std::min(std::max(relaxation, least), static_cast<double>(half)));
}

/// Rounds at which all demands should be met: the look that follows the largest estimate.
std::uint32_t expected_rounds(const ConvergenceConfig& config, const Evidence& e, const Demands& met) {
  double estimate = e.rounds + 1.0;
  if (!met.length) estimate = std::max(estimate, std::ceil(demanded_rounds(history_length(config, e), e)));
  if (!met.round_trips) {
    // Without any trip so far, as if the first were just about to be completed.
    const double trips = std::max(1.0, static_cast<double>(e.fewest_trips()));
    estimate = std::max(estimate, std::ceil(e.rounds * (config.round_trips_needed(e.slots) / trips)));
  }
  const auto last = static_cast<std::uint32_t>(config.max_rounds);
  return estimate >= last ? last : first_look_from(config, static_cast<std::uint32_t>(estimate));
}

/// "12 round trips, 10 needed", of copies "12 and 15 round trips of the copies, 10 needed".
std::string trips_in_words(const ConvergenceConfig& config, const Evidence& e) {
  const int needed = config.round_trips_needed(e.slots);
  if (e.trips_of_copies.empty()) return fmt::format("{} round trips, {} needed", e.round_trips, needed);
  return fmt::format("{} round trips of the copies, {} of each needed", fmt::join(e.trips_of_copies, ", "), needed);
}

std::string in_words(const ConvergenceConfig& config, const Evidence& e, const Demands& met) {
  std::string text;
  if (e.has_time()) {
    text = history_length(config, e).text();
    if (!met.movement) {
      const WalkTimes::Slowest slowest = e.walk.slowest();
      text += fmt::format("; replica {} hardly moves (its own tau is {:.3g})", slowest.replica, slowest.tau);
    }
    text += e.walk.exist() ? fmt::format("; {}; ", trips_in_words(config, e)) : "; ";
  }
  if (e.frozen) text += fmt::format("{} never changes in slot {}; ", e.frozen->observable, e.frozen->slot);
  if (!met.copies) {
    const BinComparison& worst = e.copies.worst;
    text += fmt::format("copies 1 and {} disagree: {} in slot {} by {:.1f} standard errors (at most {:.1f}); ",
                        worst.bin, worst.observable, worst.slot, worst.deviation, e.copies.limit);
  }
  if (!e.log_binning.possible) return text + fmt::format("{} rounds are too few for log-binning (8 needed)", e.rounds);
  const BinComparison& worst = e.log_binning.worst();
  return text + fmt::format("log-binning: worst deviation {:.1f} of at most {:.1f} standard errors ({}, slot {})",
                            worst.deviation, e.log_binning.limit, worst.observable, worst.slot);
}

}  // namespace

bool decision_due(const ConvergenceConfig& config, std::uint32_t rounds) {
  return first_look_from(config, rounds) == rounds;
}

bool decision_due(const ConvergenceConfig& config, std::uint32_t rounds, const Judgement& judgement) {
  if (config.lengths == Lengths::given) return rounds >= judgement.expected_rounds;
  return decision_due(config, rounds);
}

namespace {

std::optional<Evidence::Frozen> find_frozen(const std::vector<RoundRow>& rounds, int slots,
                                            const ChainObservables& observables, bool independent_slots, int rule) {
  if (rounds.size() < 2) return {};
  for (const ChainObservables::Named& named : rule == 1 ? observables.stationary() : observables.always_moving()) {
    for (int slot = independent_slots ? 0 : slots - 1; slot < slots; ++slot) {
      const auto column = static_cast<std::size_t>(slot * observables.size() + named.observable);
      std::vector<double> values;
      for (std::size_t r = rounds.size() / 8; r < rounds.size(); ++r) values.push_back(rounds[r].record.mean[column]);
      if (!moves(values) && !is_absent(named, values)) return Evidence::Frozen{named.name, slot};
    }
  }
  return {};
}

std::vector<std::uint64_t> trips_of_copies(const std::vector<RoundRow>& rounds, int slots) {
  std::vector<std::uint64_t> trips;
  for (const RoundRow& row : rounds) {
    const std::vector<std::uint32_t>& of_replica = row.record.round_trips;
    trips.resize(of_replica.size() / static_cast<std::size_t>(slots));
    for (std::size_t r = 0; r < of_replica.size(); ++r) trips[r / static_cast<std::size_t>(slots)] += of_replica[r];
  }
  return trips;
}

}  // namespace

WalkTime Evidence::tau() const {
  if (series.exist()) return series.tau();
  WalkTime longest = walk.exist() ? walk.tau() : WalkTime{0.5, !cold.empty()};
  for (const ColdTime& one : cold) {
    longest.tau = std::max(longest.tau, one.time.tau);
    longest.resolved = longest.resolved && one.time.resolved;
  }
  return longest;
}

HistoryLength history_length(const ConvergenceConfig& config, const Evidence& e) {
  HistoryLength length{
      .resolved = true, .of = {}, .history = static_cast<double>(e.rounds) * e.measurements, .needed = config.n_tau};
  double longest_shown = 0.0;
  const auto add = [&](double tau, bool resolved, const std::string& of) {
    length.tau = std::max(length.tau, tau);
    const bool first_unresolved = length.resolved && !resolved;
    if (!first_unresolved && (resolved != length.resolved || tau <= longest_shown)) return;
    longest_shown = tau;
    length.resolved = resolved;
    length.of = of;
  };
  for (const SeriesTimes::Entry& entry : e.series.entries) {
    add(entry.time.tau, entry.time.resolved, fmt::format("{} in slot {}", entry.observable, entry.slot));
  }
  if (!e.series.exist() && e.walk.exist()) add(e.walk.tau().tau, e.walk.tau().resolved, "the temperature walk");
  for (const ColdTime& one : e.cold) {
    add(one.upper, one.time.resolved, fmt::format("{} at the lowest temperatures", one.observable));
  }
  const bool demanding = e.has_time() && config.n_tau > 0.0;
  length.met = !demanding || (length.resolved && e.rounds >= demanded_rounds(length, e));
  return length;
}

std::string HistoryLength::text() const {
  std::string text =
      resolved ? fmt::format("tau {:.3g} measurements ({}), history {:.3g} tau", tau, of, history / tau)
               : fmt::format("tau {:.3g} measurements or more, not resolved in {:g} for {}", tau, history, of);
  return needed > 0.0 ? text + fmt::format(" ({:g} tau needed)", needed) : text;
}

std::uint64_t Evidence::fewest_trips() const {
  return trips_of_copies.empty() ? round_trips : std::ranges::min(trips_of_copies);
}

std::uint64_t round_trips_in(const std::vector<RoundRow>& rounds) {
  std::uint64_t trips = 0;
  for (const RoundRow& row : rounds) {
    trips = std::accumulate(row.record.round_trips.begin(), row.record.round_trips.end(), trips);
  }
  return trips;
}

Evidence examine(const std::vector<RoundRow>& rounds, int slots, const ChainObservables& observables,
                 std::uint64_t round_trips, int rule) {
  Evidence e;
  e.slots = slots;
  e.rounds = static_cast<std::uint32_t>(rounds.size());
  e.measurements = rounds.front().record.measurements;
  e.round_trips = round_trips;
  if (has_independent_slots(rounds, observables)) {
    e.series = series_times(rounds, slots, observables);
  } else if (rule == 1) {
    e.walk = walk_times(rounds, slots);
  } else {
    e.walk = walk_times_of_family(rounds, slots);
    e.cold = cold_times(rounds, slots, observables);
    if (slots > 1) e.trips_of_copies = trips_of_copies(rounds, slots);
  }
  const double batch = e.tau().resolved ? rounds_of_tau(e, batch_in_tau) : longest_batches;
  const BinOfRound bin = [&](std::size_t round) { return std::span<const double>(rounds[round].record.mean); };
  StationarityTests tests = test_stationarity(rounds.size(), bin, slots, observables, rule, batch);
  e.log_binning = std::move(tests.log_binning);
  e.copies = std::move(tests.copies);
  e.frozen = find_frozen(rounds, slots, observables, e.series.exist(), rule);
  return e;
}

Demands demands_met(const ConvergenceConfig& config, const Evidence& e) {
  const bool walks = e.walk.exist(), demanding = e.has_time() && config.n_tau > 0.0;
  const double history = static_cast<double>(e.rounds) * e.measurements;
  return {.length = history_length(config, e).met,
          .movement = !walks || !demanding || e.walk.slowest().tau <= longest_own_tau * history,
          .change = !e.frozen,
          .copies = e.copies.agrees(),
          .log_binning = e.log_binning.agrees(),
          .round_trips = !walks || e.fewest_trips() >= static_cast<std::uint64_t>(config.round_trips_needed(e.slots))};
}

Decision decide(const ConvergenceConfig& config, const Evidence& e) {
  const Demands met = demands_met(config, e);
  Decision decision;
  decision.reason = in_words(config, e, met);
  decision.judgement = {e.has_time() ? history_length(config, e).tau : 0.0, equilibration_rounds(config, e), e.rounds};
  if (met.all()) {
    decision.status = RealizationStatus::converged;
  } else if (e.rounds >= static_cast<std::uint32_t>(config.max_rounds)) {
    decision.status = RealizationStatus::failed;
    decision.reason = maximum_reached(config, decision.reason);
  } else {
    decision.status = met.equilibrated() ? RealizationStatus::producing : RealizationStatus::equilibrating;
    decision.judgement.expected_rounds = expected_rounds(config, e, met);
  }
  return decision;
}

std::string maximum_reached(const ConvergenceConfig& config, const std::string& look) {
  return fmt::format("maximum of {} rounds reached; {}", config.max_rounds, look);
}

Decision decide_given(const Judgement& given, std::uint32_t rounds) {
  const bool reached = rounds >= given.expected_rounds;
  return {reached ? RealizationStatus::converged : RealizationStatus::equilibrating,
          fmt::format("{} of the {} rounds that were set", rounds, given.expected_rounds), given};
}

Decision decide_course(const ConvergenceConfig& config, std::uint32_t rounds) {
  const auto all = static_cast<std::uint32_t>(config.max_rounds);
  const bool complete = rounds >= all;
  return {complete ? RealizationStatus::converged : RealizationStatus::equilibrating,
          complete ? "the course has reached its end" : fmt::format("{} of the {} rounds of the course", rounds, all),
          {.expected_rounds = all}};
}

Decision decide(const ConvergenceConfig& config, const std::vector<RoundRow>& rounds, int slots,
                const ChainObservables& observables, std::uint64_t round_trips) {
  return decide(config, examine(rounds, slots, observables, round_trips, config.rule()));
}

}}  // namespace glassworks::scheduler

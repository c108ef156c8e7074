#include "scheduler/recovery/verification_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <numeric>

#include "engine/config/config.hpp"
#include "scheduler/campaign/campaign_check.hpp"

namespace glassworks { inline namespace scheduler {
namespace {

constexpr const char* not_repaired = "it does not repair the database: restore that from a copy";

std::string name_of(const RealizationRow& row) {
  return fmt::format("L = {}, realization {}", row.key.L, row.key.realization);
}

/// What is wrong with a round; empty if nothing is.
std::string fault_of(const RoundRow& round, const ExpectedRound& expected) {
  const std::size_t replicas = round.record.round_trips.size();
  if (replicas != static_cast<std::size_t>(expected.replicas)) {
    return fmt::format("it has {} replicas instead of {}", replicas, expected.replicas);
  }
  const bool unmeasured = round.round < expected.course.size() && !expected.course[round.round].measured;
  const int measurements = unmeasured ? 0 : expected.measurements;
  if (round.record.measurements != measurements) {
    return fmt::format("it has {} measurements instead of {}", round.record.measurements, measurements);
  }
  if (round.record.samples_per_slot != expected.samples) {
    return fmt::format("it has {} samples instead of {}", round.record.samples_per_slot, expected.samples);
  }
  const auto finite = [](double mean) { return std::isfinite(mean); };
  if (!std::ranges::all_of(round.record.mean, finite) || !std::ranges::all_of(round.record.walk_mean, finite)) {
    return "a mean is not a number";
  }
  const auto most = [](std::uint64_t attempts, std::uint64_t accepted) { return accepted <= attempts; };
  if (!std::ranges::equal(round.record.exchange_attempts, round.record.exchange_accepted, most)) {
    return "more exchanges are accepted than attempted";
  }
  if (!std::isfinite(round.seconds) || round.seconds < 0.0) return "its time is not a number of seconds";
  const auto known = expected.provenances;
  if (known && (round.provenance < 1 || round.provenance > static_cast<std::int64_t>(*known))) {
    return fmt::format("its provenance {} is not known", round.provenance);
  }
  return {};
}

}  // namespace

std::string without_suggestion(std::string_view message) {
  const auto end = message.rfind(". ");
  if (end != std::string_view::npos) message = message.substr(0, end);
  if (message.ends_with('.')) message.remove_suffix(1);
  return std::string(message);
}

bool checked(Verification& result, const std::string& consequence, const std::string& next_run,
             const std::function<void()>& check) {
  try {
    check();
    return true;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    result.problems.push_back({without_suggestion(error.what()), consequence, next_run});
    return false;
  }
}

/// All at once, or, if one of them is damaged, one by one.
std::vector<RealizationRow> read_rows(const Database& database, Verification& result) {
  try {
    return database.realizations();
  } catch (const std::runtime_error&) {
  }
  std::vector<RealizationRow> rows;
  const Config config = parse_config(database.config_text());
  for (std::size_t i = 0; i < config.model.L.size(); ++i) {
    const int L = config.model.L[i];
    for (const std::uint32_t r : realization_numbers(config, i)) {
      checked(result, "the state of this realization is not known, and the campaign cannot be continued or analyzed",
              not_repaired, [&] {
                rows.push_back(database.realization({L, r}));
              });
    }
  }
  return rows;
}

void check_database(const Database& database, Verification& result) {
  constexpr const char* consequence = "what is there may not be the whole campaign, and results may be wrong";
  constexpr const char* next_run = "it refuses to begin, and removes nothing: restore the database from a copy";
  const bool told = !result.problems.empty();
  checked(result, consequence, next_run, [&] {
    for (const std::string& fault : database.faults(CheckDepth::all)) {
      result.problems.push_back({fmt::format("The database is damaged ({})", fault), consequence, next_run});
    }
  });
  Verification sizes;  // of a row that cannot be read, the result may tell already
  const bool read = checked(sizes, consequence, next_run, [&] {
    for (const std::string& fault : configuration_faults(database, CheckedUse::writing)) {
      sizes.problems.push_back(
          {fmt::format("The campaign is not that of its configuration ({})", fault), consequence, next_run});
    }
  });
  if (!read && told) return;
  result.problems.insert(result.problems.end(), sizes.problems.begin(), sizes.problems.end());
}

void check_small_tables(const Database& database, Verification& result) {
  checked(result, "what computed some rounds is not known; no result is affected", not_repaired,
          [&] { static_cast<void>(database.provenances()); });
  checked(result, "how the configuration was raised is not known; no result is affected", not_repaired,
          [&] { static_cast<void>(database.amendments()); });
  checked(result, "the workers are not known; no result is affected", not_repaired,
          [&] { static_cast<void>(database.workers()); });
  checked(result, "the workers are not known; no result is affected", not_repaired, [&] {
    for (const RealizationRow& row : database.leases_without_worker()) {
      result.problems.push_back(
          {fmt::format("{} is leased to worker {}, which does not exist", name_of(row), row.worker),
           "none for the results; no other worker would continue it", "it ends the lease"});
    }
  });
}

std::optional<std::size_t> count_provenances(const Database& database) {
  try {
    return database.provenances().size();
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

bool check_rounds(const Database& database, const RealizationRow& row, const ExpectedRound& expected,
                  Verification& result) {
  constexpr const char* lost_bins = "this realization can be neither analyzed nor judged";
  std::vector<RoundRow> rounds;
  if (!checked(result, lost_bins, not_repaired, [&] { rounds = database.rounds(row.key); })) return false;
  result.rounds += rounds.size();
  if (rounds.size() < row.rounds) {
    result.problems.push_back({fmt::format("{} has {} rounds instead of {}", name_of(row), rounds.size(), row.rounds),
                               lost_bins, not_repaired});
    return false;
  }
  std::uint64_t round_trips = 0;
  for (std::uint32_t i = 0; i < row.rounds; ++i) {
    const RoundRow& round = rounds[i];
    if (const std::string fault = fault_of(round, expected); !fault.empty()) {
      result.problems.push_back(
          {fmt::format("Round {} of {} does not belong to the campaign ({})", i, name_of(row), fault),
           "averages over this realization may be wrong", not_repaired});
      return true;
    }
    const auto& trips = round.record.round_trips;
    round_trips = std::accumulate(trips.begin(), trips.end(), round_trips);
  }
  if (round_trips == row.round_trips) return true;
  result.problems.push_back({fmt::format("The round trips of {} do not add up ({} in its rounds, {} in its row)",
                                         name_of(row), round_trips, row.round_trips),
                             "its convergence was judged by a wrong number", not_repaired});
  return true;
}

}}  // namespace glassworks::scheduler

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.hpp"
#include "kernels/rounds/course.hpp"
#include "scheduler/recovery/verification.hpp"

namespace glassworks { inline namespace scheduler {

/// The problem in a message of the form "PROBLEM. SUGGESTION."
[[nodiscard]] std::string without_suggestion(std::string_view message);

/// Runs a check; what it throws becomes a problem of the result. Returns whether it threw nothing.
bool checked(Verification& result, const std::string& consequence, const std::string& next_run,
             const std::function<void()>& check);

/// Rows of all realizations that can be read, in order.
[[nodiscard]] std::vector<RealizationRow> read_rows(const Database& database, Verification& result);

/// The database as a whole, and its sizes against the configuration.
void check_database(const Database& database, Verification& result);

/// Provenances, amendments, workers and leases.
void check_small_tables(const Database& database, Verification& result);

/// Nothing if they cannot be read.
[[nodiscard]] std::optional<std::size_t> count_provenances(const Database& database);

struct ExpectedRound {
  int replicas = 0, measurements = 0, samples = 0;
  std::vector<CourseRound> course;         ///< whose rounds end with a measurement or without one; empty: none
  std::optional<std::size_t> provenances;  ///< after the row was read; without: any may be known
};

/// The rounds of a realization: readable, complete, of the right shape, and their round trips the sum in the row.
/// Rounds that were committed after the row was read do no harm. Returns whether all can be read.
bool check_rounds(const Database& database, const RealizationRow& row, const ExpectedRound& expected,
                  Verification& result);

}}  // namespace glassworks::scheduler

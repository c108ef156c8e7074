#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/make_backend.hpp"

namespace glassworks { inline namespace scheduler {

/// What is wrong with a campaign; each part is a clause without a full stop.
struct VerificationProblem {
  std::string what;         ///< and where
  std::string consequence;  ///< for the results
  std::string next_run;     ///< what the next run does about it
};

struct VerificationProgress {
  const char* stage = "";  ///< for people: "realizations", "rounds simulated again"
  std::size_t done = 0, total = 0;
};

struct VerificationOptions {
  int recompute = 0;           ///< last rounds to simulate again
  Backend* backend = nullptr;  ///< for these; null: one that suits the campaign
  std::function<void(const VerificationProgress&)> progress;
};

struct Verification {
  std::size_t realizations = 0, rounds = 0, checkpoints = 0;  ///< looked at, good or not
  std::size_t recomputed = 0;                                 ///< rounds simulated again
  std::vector<VerificationProblem> problems;
  std::vector<std::string> orphans;  ///< files in checkpoints/ that the database does not name; harmless
  bool stopped = false;              ///< before everything was checked
};

/// Checks a campaign directory without writing to it, also while it runs: the database as a whole (Database::faults),
/// its sizes against its configuration, every row with its checksums, the rounds of every realization (complete, of the
/// right shape, their round trips the stored sum), every checkpoint that the database names (both generations), and, if
/// asked for, that `recompute` last rounds, spread evenly over the realizations, come out with the same bins and the
/// same state to the bit. A problem ends the check of its realization only.
///
/// Throws std::runtime_error where the database cannot be opened.
[[nodiscard]] Verification verify(const std::filesystem::path& directory, const VerificationOptions& options,
                                  RoundControl& control);

}}  // namespace glassworks::scheduler

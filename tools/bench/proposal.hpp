#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/config.hpp"
#include "scheduler/devices/worker_backend.hpp"
#include "tools/bench/proposal_estimate.hpp"

namespace glassworks { inline namespace tools {

struct ProposalOptions {
  std::string file;  ///< of the configuration
  Config config;
  double seconds = 120.0;  ///< for timings and pilots together
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// What one size of a campaign takes.
struct SizeProposal {
  int L = 0, realizations = 0, slots = 0, copies = 0, measurements = 0;
  /// Where the rounds come from. unknown: neither this size nor smaller ones could be simulated in the time.
  enum class Source { pilots, extrapolated, unknown } source = Source::unknown;
  int pilots = 0, ended = 0;   ///< and how many of them came to their end
  double longest = 0.0;        ///< rounds of the longest pilot; 0: none
  Ranged rounds;               ///< of a realization
  double round_seconds = 0.0;  ///< device or core seconds of a round of one realization
  bool smaller_timed = false;  ///< timed on a smaller lattice, in proportion to the sites
  Ranged hours;                ///< core-hours or GPU-hours of all realizations
  double memory = 0.0;         ///< [bytes]
  Ranged disk;                 ///< [bytes]
};

struct Proposal {
  std::string device;               ///< "cpu (avx512, 8 threads), AMD EPYC"
  std::string unit;                 ///< "core-hours", "GPU-hours"
  double units = 1.0;               ///< threads or devices that work side by side
  std::vector<SizeProposal> sizes;  ///< ascending in L
  Growth growth;                    ///< of tau, where a size is extrapolated
  std::vector<std::string> notes;   ///< what the figures leave out
  bool stopped = false;

  [[nodiscard]] Ranged hours() const;
  [[nodiscard]] Ranged disk() const;
  [[nodiscard]] double memory() const;
};

/// Independent figures together: their distances from the ends add as squares.
[[nodiscard]] Ranged sum_of_independent(const std::vector<Ranged>& parts);

/// Estimates what a campaign takes on this machine from its beginning to its end: times short rounds of every size,
/// then simulates pilots of the sizes that the time allows in memory, from the smallest on, and extrapolates their
/// lengths to the others; with fewer than two such sizes, pilots of still smaller cubes with the ladder of the
/// campaign. Neither reads nor writes the directory of the campaign. Throws InputError for a course, and for what the
/// backend cannot run.
[[nodiscard]] Proposal propose(const ProposalOptions& options, std::vector<WorkerBackend> backends,
                               RoundControl& control);

[[nodiscard]] std::string proposal_text(const ProposalOptions& options, const Proposal& proposal);
[[nodiscard]] std::string proposal_json(const ProposalOptions& options, const Proposal& proposal);

}}  // namespace glassworks::tools

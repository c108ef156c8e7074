#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/chain.hpp"

namespace glassworks {

/// Life of a realization: queued -> equilibrating -> producing -> converged, or failed with the reason.
enum class RealizationStatus { queued, equilibrating, producing, converged, failed };

[[nodiscard]] const char* to_string(RealizationStatus status);

struct RealizationKey {
  int L = 0;
  std::uint32_t realization = 0;
  auto operator<=>(const RealizationKey&) const = default;
};

/// One row of the realization table.
struct RealizationRow {
  RealizationKey key;
  RealizationStatus status = RealizationStatus::queued;
  std::uint32_t rounds = 0;       ///< committed
  std::string checkpoint;         ///< file name inside checkpoints/; empty before the first round
  std::string state_digest;       ///< of the state after `rounds` rounds, 32 hexadecimal digits
  std::uint64_t round_trips = 0;  ///< of all replicas, since the start
  std::string reason;             ///< of the status, for people ("" while simple)
  int attempt = 0;                ///< fencing token: raised each time the realization is leased
};

/// What produced a round.
struct Provenance {
  std::string version, commit, compiler, backend, host;
  bool operator==(const Provenance&) const = default;
};

/// A finished round ready to be committed: bins, new state reference, statistics and decision in one transaction.
struct RoundCommit {
  RealizationKey key;
  int attempt = 0;          ///< of the lease; the commit is refused if it is no longer the current one
  std::uint32_t round = 0;  ///< index of this round, from 0; must equal the rounds committed so far
  RoundRecord record;
  std::string checkpoint, state_digest;
  std::uint64_t round_trips = 0;
  RealizationStatus status = RealizationStatus::equilibrating;
  std::string reason;
  double seconds = 0.0;  ///< wall time of the round, shared out over its batch
};

}  // namespace glassworks

#pragma once

#include <cstddef>
#include <vector>

#include "scheduler/ranks/transport.hpp"

namespace glassworks {

/// What the workers of all ranks together ask of rank 0.
struct SyntheticLoad {
  int workers = 256;
  int batch = 4;
  double rate = 2000.0;   ///< rounds committed in a second, evenly; 0: as many as rank 0 takes
  double seconds = 20.0;  ///< from the first batch to the last commit
};

/// What a rank's workers saw.
struct LoadSeen {
  std::size_t rounds = 0;       ///< committed
  std::vector<double> leases;   ///< from the end of a round to the next batch, its own commit included [s]
  std::vector<double> commits;  ///< from the end of a round to its being on stable storage [s]
};

/// A rank whose many workers take batches and commit rounds of the size of real ones, and simulate nothing: the share
/// of one of the ranks from 1 on. Returns when rank 0 lets it go.
[[nodiscard]] LoadSeen play_rank(Transport& transport, const SyntheticLoad& load);

}  // namespace glassworks

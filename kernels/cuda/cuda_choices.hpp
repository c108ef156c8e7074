#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_devices.hpp"

namespace glassworks { inline namespace cuda {

/// What tests and benchmarks prescribe to the cuda backend, which otherwise chooses itself. Bits do not depend on it.
struct CudaChoices {
  /// Beginning of the names of the kernels that may be used ("plain", "tile", "ladder", "resident L=8 blocks=1");
  /// empty: the fastest that fit. The plain ones are used where no other may be. Of words on graphs "words memory"
  /// (spins in the memory of the device) and "words 1", "words 2", "words 4" (words of a pack) are prescribed as well.
  std::string kernel{};
  /// Largest number of groups of threads in a block of the ladder kernel; 0: as many as fit.
  int ladder_groups = 0;
  /// Largest mean number of sites of the clusters of an update of wolff or few_cluster that are grown from their seeds,
  /// negative: all are labelled; empty: by what they cost (GrowthChoice).
  std::optional<double> most_grown{};
  /// Sites of grown clusters that a block holds in shared memory, and then marks in the memory of the device what they
  /// have reached; 0: what fits the lattice.
  int grown_sites = 0;
  /// What BackendOptions::device counts; empty: cuda_devices().
  std::vector<CudaDevice> devices{};

  [[nodiscard]] const std::vector<CudaDevice>& counted_devices() const {
    return devices.empty() ? cuda_devices() : devices;
  }
};

}}  // namespace glassworks::cuda

#pragma once

#include "kernels/cuda/multispin/copies/copy_job.hpp"

namespace glassworks { inline namespace cuda {

/// A site of the lattice and where the words of a chain have it.
struct WordSite {
  std::int64_t site;
  int row, x, colour;
  std::int64_t place;  ///< of its colour

  __device__ WordSite(const CopyJob& job, std::int64_t site_) : site(site_) {
    const int L = job.common.lattice.L;
    row = static_cast<int>(site / L);
    x = static_cast<int>(site - std::int64_t{row} * L);
    colour = (x + job.d_row_parity[row]) & 1;
    place = std::int64_t{row} * (L / 2) + x / 2;
  }
};

}}  // namespace glassworks::cuda

#pragma once

#include <string>

#include "kernels/cuda/resident.hpp"
#include "kernels/cuda/tile.hpp"

namespace glassworks {

/// Which kernels a chain gets on the current device.
struct CudaPlan {
  enum class Kind { resident, tile, plain };
  Kind kind = Kind::plain;
  ResidentPlan resident;
  TilePlan tile;

  /// For people: kernel, blocks and registers.
  [[nodiscard]] std::string description() const;
};

/// The fastest kernels that can run the chain. The environment variable GLASSWORKS_CUDA_KERNEL chooses among them by
/// the beginning of their names ("plain", "tile", "resident L=8 blocks=1 depth=2"), for tests and tuning.
[[nodiscard]] CudaPlan choose_cuda_plan(const Chain& chain, bool with_fields);

}  // namespace glassworks

#pragma once

#include <memory>

#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cuda/cuda_choices.hpp"
#include "kernels/rounds/backend.hpp"
#include "kernels/rounds/kernel_families.hpp"

namespace glassworks {

struct BackendOptions {
  BackendKind kind = BackendKind::automatic;
  InstructionSet isa = InstructionSet::automatic;
  int threads = 0;  ///< 0: one per hardware thread
  int device = 0;   ///< of the cuda backend: index of a device in cuda.counted_devices()
  CudaChoices cuda{};
};

/// Makes a backend. Throws std::runtime_error (problem (why). suggestion) if the machine or the build cannot give it.
[[nodiscard]] std::unique_ptr<Backend> make_backend(const BackendOptions& options);

}  // namespace glassworks

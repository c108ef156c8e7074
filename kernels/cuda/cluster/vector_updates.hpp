#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/core/lattice.hpp"
#include "kernels/core/random.hpp"
#include "kernels/cuda/cluster/device_labelling.hpp"

namespace glassworks { inline namespace cuda {

/// One of many lattices of vectors that are updated together.
struct VectorSystem {
  std::uint32_t realization = 0;
  std::uint32_t replica = 0;
  float beta = 0.0F;
  std::uint32_t disorder = 0;     ///< which set of couplings it has
  std::uint64_t first_sweep = 0;  ///< added to the number of every update
};

/// Embedded Swendsen-Wang updates of many equal lattices of the models on and phi4, d = 3 or 4, on the current device.
/// The bits are those of kernels/models/README.md.
class VectorUpdates {
 public:
  virtual ~VectorUpdates() = default;

  /// The systems of the next updates, `count` of them as at construction.
  virtual void set_systems(std::span<const VectorSystem> systems) = 0;
  /// Couplings J: couplings[set][site][axis], as in Disorder; at least one set.
  virtual void set_couplings(std::span<const std::vector<float>* const> sets) = 0;
  /// Spins of all systems: spins[system][component][site].
  virtual void set_spins(std::span<const float> spins) = 0;
  virtual void get_spins(std::span<float> spins) = 0;

  /// For systems and spins that are on the device: where the systems are [system], and copies of the spins from and to
  /// d_spins[system][component][site], which only start.
  [[nodiscard]] virtual VectorSystem* device_systems() = 0;
  virtual void import_spins(const float* d_spins, cudaStream_t stream) = 0;
  virtual void export_spins(float* d_spins, cudaStream_t stream) = 0;

  /// Starts update number first_sweep + `sweep` of all systems. Stages: "activation and tiles", "borders", "flip".
  virtual void enqueue(const PhiloxKey& key, std::uint64_t sweep, cudaStream_t stream, const StageMark& mark) = 0;
};

/// Throws std::runtime_error for lattices and components that it does not know. `variant`: shape of the tiles, 0 is the
/// preferred one; nullptr: there is no such variant.
[[nodiscard]] std::unique_ptr<VectorUpdates> make_vector_updates(const Lattice& lattice, int components,
                                                                 unsigned systems, int variant = 0);

}}  // namespace glassworks::cuda

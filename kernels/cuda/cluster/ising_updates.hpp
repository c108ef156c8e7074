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

/// One of many Ising lattices that are updated together.
struct IsingSystem {
  std::uint32_t realization = 0;
  std::uint32_t replica = 0;
  std::uint32_t threshold = 0;    ///< bond_threshold(2, beta, |J|)
  std::uint32_t disorder = 0;     ///< which set of signs of J it has
  std::uint64_t first_sweep = 0;  ///< added to the number of every update
};

/// Swendsen-Wang updates of many equal Ising lattices, d = 2 or 3, with couplings of one modulus and any signs, on the
/// current device. The bits are those of kernels/models/README.md; spins are packed, one bit a site.
class IsingUpdates {
 public:
  virtual ~IsingUpdates() = default;

  /// The systems of the next updates, `count` of them as at construction.
  virtual void set_systems(std::span<const IsingSystem> systems) = 0;
  /// Which couplings are negative: couplings[set][site][axis], as in Disorder; empty: none.
  virtual void set_couplings(std::span<const std::vector<float>* const> sets) = 0;
  /// States (1 + s)/2 of all systems: states[system][site].
  virtual void set_states(std::span<const std::uint8_t> states) = 0;
  virtual void get_states(std::span<std::uint8_t> states) = 0;

  /// For systems and states that are on the device: where the systems are [system], and copies of the states from and
  /// to d_states[system][site], which only start.
  [[nodiscard]] virtual IsingSystem* device_systems() = 0;
  virtual void import_states(const std::uint8_t* d_states, cudaStream_t stream) = 0;
  virtual void export_states(std::uint8_t* d_states, cudaStream_t stream) = 0;

  /// Starts update number first_sweep + `sweep` of all systems. Stages: "activation and tiles", "borders", "flip".
  virtual void enqueue(const PhiloxKey& key, std::uint64_t sweep, cudaStream_t stream, const StageMark& mark) = 0;
};

/// Throws std::runtime_error for lattices that it does not know. `variant`: shape of the tiles, 0 is the preferred one;
/// nullptr: there is no such variant.
[[nodiscard]] std::unique_ptr<IsingUpdates> make_ising_updates(const Lattice& lattice, unsigned systems,
                                                               int variant = 0);

}}  // namespace glassworks::cuda

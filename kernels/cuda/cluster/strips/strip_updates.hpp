#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/clusters/strips.hpp"
#include "kernels/core/lattice.hpp"
#include "kernels/core/random.hpp"
#include "kernels/models/spin_model.hpp"

namespace glassworks { inline namespace cuda {

/// One square lattice with couplings 1, and its place among the random numbers.
struct StripChain {
  SpinModel model;  ///< ising or potts
  Lattice lattice;  ///< d = 2, hypercubic; L is a multiple of 32
  float beta = 0.0F;
  PhiloxKey key;
  std::uint32_t realization = 0, replica = 0;
};

enum class StripStart { random, ordered };

/// Sums over the whole lattice.
struct StripSums {
  std::uint64_t satisfied = 0;        ///< bonds between equal states
  std::vector<std::uint64_t> states;  ///< sites in each state
  std::uint64_t digest = 0;           ///< of all states; equal for equal states
};

/// Swendsen-Wang updates of one square lattice that is cut into strips of rows, on one device or several. The bits are
/// those of kernels/models/README.md, whatever the strips and the devices.
class StripUpdates {
 public:
  virtual ~StripUpdates() = default;

  /// The first state of kernels/models/README.md.
  virtual void start(StripStart start) = 0;
  /// States of all sites, for small lattices.
  virtual void set_states(std::span<const std::uint8_t> states) = 0;
  virtual void get_states(std::span<std::uint8_t> states) = 0;
  /// Starts update number `sweep`; the host does not wait.
  virtual void enqueue(std::uint64_t sweep) = 0;
  /// Waits for all that was started.
  virtual void wait() = 0;
  [[nodiscard]] virtual StripSums sums() = 0;

  [[nodiscard]] virtual std::span<const Strip> strips() const = 0;
  /// Bytes that it takes on each device.
  [[nodiscard]] virtual std::span<const double> bytes() const = 0;
};

/// Bytes for each device of `strips`, of a lattice `width` sites wide; states: q, of ising 2.
[[nodiscard]] std::vector<double> strip_bytes(std::span<const Strip> strips, std::uint32_t width, int states);

/// devices: places in cuda_devices(); one that stands there twice counts twice. strips: number of them, 0: as few as
/// there may be. Throws std::runtime_error (problem (why). suggestion) for chains that it does not know, and where the
/// memory is too small.
[[nodiscard]] std::unique_ptr<StripUpdates> make_strip_updates(const StripChain& chain, std::span<const int> devices,
                                                               int strips = 0);

}}  // namespace glassworks::cuda

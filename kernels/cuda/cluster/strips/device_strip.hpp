#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "kernels/clusters/strip_seams.hpp"
#include "kernels/clusters/strips.hpp"
#include "kernels/cuda/cluster/strips/strip_updates.hpp"

namespace glassworks { inline namespace cuda {

constexpr int most_strip_states = 20;

/// What a strip counts; see StripSums.
struct StripCounts {
  unsigned long long satisfied, digest, state[most_strip_states];
};

/// Bit planes of the states of a model with q states.
[[nodiscard]] constexpr int strip_planes(int states) {
  int planes = 1;
  while ((1 << planes) < states) ++planes;
  return planes;
}

/// One strip in the memory of the current device. All work is only started.
class DeviceStrip {
 public:
  virtual ~DeviceStrip() = default;

  virtual void start_random(cudaStream_t stream) = 0;
  /// Active bonds and clusters of update number `sweep`; what the seams need is in rows() then.
  virtual void label(std::uint64_t sweep, cudaStream_t stream) = 0;
  /// Moves the clusters; canonical() has the roots of those that reach a seam.
  virtual void move(cudaStream_t stream) = 0;
  virtual void count(cudaStream_t stream) = 0;

  [[nodiscard]] virtual int planes() const = 0;
  /// Of a plane: spin_words() words, the first row, and the row after the last one, which is a copy of the first row of
  /// the next strip.
  [[nodiscard]] virtual std::uint32_t* spins(int plane) const = 0;
  [[nodiscard]] virtual std::size_t spin_words() const = 0;
  [[nodiscard]] virtual std::uint32_t* row_after(int plane) const = 0;
  [[nodiscard]] virtual const std::uint32_t* rows() const = 0;
  [[nodiscard]] virtual unsigned long long* canonical() const = 0;  ///< in the lattice [node]
  [[nodiscard]] virtual const StripCounts* counts() const = 0;
};

/// threshold: of a satisfied bond; open_below: no bonds leave the last row
struct DeviceStripOptions {
  std::uint32_t threshold = 0;
  bool open_below = false;
};
[[nodiscard]] std::unique_ptr<DeviceStrip> make_device_strip(const StripChain& chain, const Strip& strip,
                                                             const DeviceStripOptions& options);
/// Bytes that it takes.
[[nodiscard]] double device_strip_bytes(std::uint32_t width, std::uint32_t rows, int planes);

}}  // namespace glassworks::cuda

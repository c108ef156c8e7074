#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/device_batch.hpp"

namespace glassworks { inline namespace cuda {

/// Where spins of n components stand while the sites of one colour are updated at a time:
///
///     [colour][q / 32][component][q mod 32],   q = x/2 + (L/2) (y + L (z + L w))
///
/// so that the components of a spin are at constant distances, and those of a warp in lines of 128 bytes.
template <int n>
struct ColourOrder {
  static constexpr std::uint32_t group = 32;
  std::uint32_t of_colour;  ///< floats of one colour

  GLASSWORKS_HD explicit ColourOrder(std::int64_t sites)
      : of_colour(static_cast<std::uint32_t>((sites / 2 + group - 1) / group * group * n)) {}
  /// Floats of a replica.
  [[nodiscard]] GLASSWORKS_HD std::int64_t size() const { return 2 * std::int64_t{of_colour}; }
  /// Of the first component of a spin; the next one is `group` floats on.
  [[nodiscard]] GLASSWORKS_HD std::uint32_t place(int colour, std::uint32_t q) const {
    return static_cast<std::uint32_t>(colour) * of_colour + n * q - (n - 1) * (q % group);
  }
};

/// Floats of a replica of n components.
[[nodiscard]] std::size_t colour_order_size(const Lattice& lattice, int n);

/// Copies all spins of a batch to this order.
void order_by_colour(const DeviceBatch& batch, float* d_by_colour, cudaStream_t stream);
/// Copies them back. renormalize: those of colour 0 are brought to length 1 on the way.
void order_naturally(const float* d_by_colour, const DeviceBatch& batch, bool renormalize, cudaStream_t stream);

}}  // namespace glassworks::cuda

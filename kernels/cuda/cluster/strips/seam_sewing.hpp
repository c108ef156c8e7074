#pragma once

#include <cuda_runtime_api.h>

#include <span>

#include "kernels/clusters/strip_seams.hpp"
#include "kernels/clusters/strips.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

/// The seams of all strips on the current device.
class SeamSewing {
 public:
  /// closed: whether the last strip is joined to the first one
  SeamSewing(const SeamLayout& layout, std::span<const Strip> strips, bool closed);

  /// Where the rows of a strip are gathered: SeamLayout::words() words.
  [[nodiscard]] std::uint32_t* rows_of(std::size_t strip) { return rows_.data() + strip * seams_.layout.words(); }
  /// Roots in the lattice, of nodes that there are: SeamLayout::nodes() numbers.
  [[nodiscard]] const unsigned long long* canonical_of(std::size_t strip) const {
    return canonical_.data() + strip * seams_.layout.nodes();
  }
  /// Starts to sew what is gathered.
  void enqueue(cudaStream_t stream);
  [[nodiscard]] static double bytes(const SeamLayout& layout, std::size_t strips);

 private:
  Seams seams_{};
  DeviceBuffer<std::uint32_t> rows_, parent_;
  DeviceBuffer<unsigned long long> origins_, smallest_, canonical_;
};

}}  // namespace glassworks::cuda

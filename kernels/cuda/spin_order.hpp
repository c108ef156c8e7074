#pragma once

#include <cstdint>

#include "kernels/core/host_device.hpp"

namespace glassworks { inline namespace cuda {

/// How the components of spins lie in the memory of a replica.
///
/// planar  [component][place]
/// paired  [place][first, second component], then the same of the next two, and [place] of a last one that is alone;
///         two components are one access
enum class SpinLayout : bool { planar, paired };

/// Largest L of a plane that is split: one block rearranges it.
inline constexpr int largest_split_L = 48;

/// Where a site (x, y) lies in its plane of spins in device memory. Planes are never moved.
///
/// natural  x + L y
/// split    four quarters [2 (y mod 2) + (x mod 2)][x/2 + L/2 (y/2)], L even: the order of the resident kernel
class SpinOrder {
 public:
  SpinOrder() = default;  ///< no order: to be assigned
  static GLASSWORKS_HD constexpr SpinOrder natural(int L) { return {0, L, 0, SpinLayout::planar}; }
  static GLASSWORKS_HD constexpr SpinOrder split(int L, SpinLayout layout) {
    return {1, L / 2, L / 2 * (L / 2), layout};
  }
  [[nodiscard]] GLASSWORKS_HD constexpr SpinLayout layout() const { return layout_; }

  /// Place of a site: of_x + of_y.
  [[nodiscard]] GLASSWORKS_HD constexpr int of_x(int x) const { return (x >> shift_) + (x & shift_) * quarter_; }
  [[nodiscard]] GLASSWORKS_HD constexpr int of_y(int y) const {
    return (y >> shift_) * row_ + (y & shift_) * 2 * quarter_;
  }

  /// Where a component of the spin at a place lies among those of a replica.
  [[nodiscard]] GLASSWORKS_HD constexpr std::int64_t of_component(int component, int components, std::int64_t place,
                                                                  std::int64_t sites) const {
    const bool in_pair = layout_ == SpinLayout::paired && (component | 1) < components;
    return in_pair ? component / 2 * 2 * sites + 2 * place + component % 2 : component * sites + place;
  }

 private:
  GLASSWORKS_HD constexpr SpinOrder(int shift, int row, int quarter, SpinLayout layout)
      : shift_(shift), row_(row), quarter_(quarter), layout_(layout) {}

  int shift_ = 0, row_ = 0, quarter_ = 0;
  SpinLayout layout_ = SpinLayout::planar;
};

}}  // namespace glassworks::cuda

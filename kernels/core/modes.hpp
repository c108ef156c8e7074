#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/core/lattice.hpp"

namespace glassworks { inline namespace core {

/// The wave vectors of the overlaps: k = (2 pi / L) n with n = 0; the unit vectors e_a; 2 e_a; e_a + e_b (a < b);
/// e_a + e_b + e_c (a < b < c), in this order. d = 3: 1 + 3 + 3 + 3 + 1 = 11.
///
/// All sites with equal n.r mod L carry the same phase, so a sum over the lattice is first taken over these planes, in
/// integers, and then transformed over the L planes of each of the directions e_a, e_a + e_b, e_a + e_b + e_c.
class Modes {
 public:
  static constexpr int max_directions = 14, max_modes = 19;  ///< d = 4

  explicit constexpr Modes(int dim) {
    for (int weight = 1; weight <= 3; ++weight) {
      for (unsigned mask = 1; mask < (1U << dim); ++mask) {
        if (std::popcount(mask) == weight) directions_[static_cast<std::size_t>(direction_count_++)] = mask;
      }
    }
    modes_[0] = {0, 0};
    mode_count_ = 1;
    for (int multiple = 1; multiple <= 2; ++multiple) {
      for (int direction = 0; direction < dim; ++direction) push({direction, multiple});
    }
    for (int direction = dim; direction < direction_count_; ++direction) push({direction, 1});
  }

  struct Mode {
    int direction;  ///< index of a direction
    int multiple;   ///< n = multiple * direction; 0 for k = 0
  };

  [[nodiscard]] constexpr int directions() const { return direction_count_; }
  /// Axes that a direction has, as a bit mask (bit 0 = x).
  [[nodiscard]] constexpr unsigned axes(int direction) const {
    return directions_[static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] constexpr int size() const { return mode_count_; }
  [[nodiscard]] constexpr Mode operator[](int mode) const { return modes_[static_cast<std::size_t>(mode)]; }

  /// Plane of a site: sum of the coordinates along the axes of the direction, mod L.
  [[nodiscard]] constexpr int plane(int direction, const Lattice& lattice, const Lattice::Coordinates& c) const {
    int sum = 0;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      if (((axes(direction) >> axis) & 1U) != 0U) sum += c[static_cast<std::size_t>(axis)];
    }
    return sum % lattice.L;
  }

 private:
  constexpr void push(Mode m) { modes_[static_cast<std::size_t>(mode_count_++)] = m; }

  std::array<unsigned, max_directions> directions_{};
  int direction_count_ = 0;
  std::array<Mode, max_modes> modes_{};
  int mode_count_ = 0;
};

/// cos(2 pi j / n) and sin(2 pi j / n), j = 0 .. n-1, from a fixed series in double: the same bits on every platform,
/// which std::cos does not promise. Error below 4e-16.
struct PhaseTable {
  explicit PhaseTable(int n);
  std::vector<double> cosine, sine;

  /// Cosines, then sines [2][n].
  [[nodiscard]] std::vector<double> joined() const;
};

}}  // namespace glassworks::core

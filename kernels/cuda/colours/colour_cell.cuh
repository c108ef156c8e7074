#pragma once

#include "kernels/cuda/colours/colour_sweeps.hpp"
#include "kernels/models/vectors.hpp"

namespace glassworks { inline namespace cuda {

/// The two sites of one colour in a cell, members 0 and 1 of its block of random words: (2X + p, 2Y) and
/// (2X + 1 - p, 2Y + 1), with p = (z + w + colour) mod 2. The sites of the other colour in their rows are neighbours of
/// both.
template <int dim>
class ColourCell {
 public:
  bool inside;           ///< whether the box has a cell here
  bool shifted;          ///< p = 1
  std::uint32_t number;  ///< of the cell: index of its block of random words

  __device__ __forceinline__ ColourCell(const Lattice& lattice, const ColourLaunch& l)
      : L_(lattice.L), half_(lattice.L / 2) {
    unsigned X = threadIdx.x, box_x = blockIdx.x, box_z = blockIdx.y;
    unsigned Y = static_cast<unsigned>(l.x.divide(X));
    const int layer = l.y.divide(Y), box_y = l.boxes_x.divide(box_x);
    c_[1] = dim > 3 ? l.boxes_z.divide(box_z) : 0;
    X_ = static_cast<int>(box_x * l.x.value + X);
    Y_ = box_y * static_cast<int>(l.y.value) + static_cast<int>(Y);
    c_[0] = static_cast<int>(box_z * l.z.value) + layer;
    inside = layer < static_cast<int>(l.z.value) && X_ < half_ && Y_ < half_ && c_[0] < (dim > 2 ? L_ : 1);
    shifted = ((c_[0] + c_[1] + l.colour) & 1) != 0;
    const int slow = c_[0] + L_ * c_[1];
    number = static_cast<std::uint32_t>(X_ + half_ * (Y_ + half_ * slow));
    q_ = X_ + half_ * (2 * Y_ + L_ * slow);
  }

  /// Number of a site.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t site(int member) const {
    return static_cast<std::uint32_t>(2 * (q_ + member * half_) + (shifted == (member == 0) ? 1 : 0));
  }
  /// Of ColourOrder: of a site, and of its neighbours in the next cells along x and y.
  [[nodiscard]] __device__ __forceinline__ int q(int member) const { return q_ + member * half_; }
  [[nodiscard]] __device__ __forceinline__ int q_across(int member) const {
    const bool east = shifted == (member == 0);
    return q(member) + (east ? (X_ + 1 < half_ ? 1 : 1 - half_) : (X_ > 0 ? -1 : half_ - 1));
  }
  [[nodiscard]] __device__ __forceinline__ int q_outside(int member) const {
    if (member == 0) return q_ + (Y_ > 0 ? -half_ : half_ * (L_ - 1));
    return q(1) + (Y_ + 1 < half_ ? half_ : half_ - half_ * L_);
  }
  /// From there to the neighbour along z (axis 2) or w.
  [[nodiscard]] __device__ __forceinline__ int q_up(int axis) const {
    const int stride = half_ * L_ * (axis > 2 ? L_ : 1);
    return c_[axis - 2] + 1 < L_ ? stride : stride - L_ * stride;
  }
  [[nodiscard]] __device__ __forceinline__ int q_down(int axis) const {
    const int stride = half_ * L_ * (axis > 2 ? L_ : 1);
    return c_[axis - 2] > 0 ? -stride : (L_ - 1) * stride;
  }

  /// J of the bonds of a member, x+, x-, y+, y-, ...; couplings: [axis][site]
  __device__ __forceinline__ void load_couplings(const float* couplings, std::int64_t sites, int member,
                                                 float (&J)[2 * dim]) const {
    const std::uint32_t i = site(member);
    const int coordinate[4] = {2 * X_ + (shifted == (member == 0) ? 1 : 0), 2 * Y_ + member, c_[0], c_[1]};
    int stride = 1;
#pragma unroll
    for (int axis = 0; axis < dim; ++axis) {
      const std::uint32_t before = i + static_cast<std::uint32_t>(coordinate[axis] > 0 ? -stride : (L_ - 1) * stride);
      J[2 * axis] = couplings[axis * sites + i];
      J[2 * axis + 1] = couplings[axis * sites + before];
      stride *= L_;
    }
  }

 private:
  int L_, half_, X_, Y_, c_[2], q_;
};

/// Where the spins that a thread touches are in a replica, in bytes.
template <int n, int dim>
struct ColourPlaces {
  std::uint32_t own[2], beside[2], across[2], outside[2];
  std::uint32_t up[dim > 2 ? dim - 2 : 1][2], down[dim > 2 ? dim - 2 : 1][2];

  __device__ __forceinline__ ColourPlaces(const ColourCell<dim>& cell, const ColourOrder<n>& order, int colour) {
    const auto place = [&](int of_colour, int q) { return 4U * order.place(of_colour, static_cast<std::uint32_t>(q)); };
#pragma unroll
    for (int m = 0; m < 2; ++m) {
      own[m] = place(colour, cell.q(m));
      beside[m] = place(1 - colour, cell.q(m));
      across[m] = place(1 - colour, cell.q_across(m));
      outside[m] = place(1 - colour, cell.q_outside(m));
#pragma unroll
      for (int axis = 2; axis < dim; ++axis) {
        up[axis - 2][m] = place(1 - colour, cell.q(m) + cell.q_up(axis));
        down[axis - 2][m] = place(1 - colour, cell.q(m) + cell.q_down(axis));
      }
    }
  }
};

/// The spins of a replica, by their places.
template <int n>
struct ColourSpins {
  char* bytes;

  [[nodiscard]] __device__ __forceinline__ exact::Vector<n> load(std::uint32_t place) const {
    const auto* const from = reinterpret_cast<const float*>(bytes + place);
    exact::Vector<n> s;
#pragma unroll
    for (int c = 0; c < n; ++c) s.c[c] = from[c * ColourOrder<n>::group];
    return s;
  }
  __device__ __forceinline__ void store(std::uint32_t place, const exact::Vector<n>& s) const {
    auto* const to = reinterpret_cast<float*>(bytes + place);
#pragma unroll
    for (int c = 0; c < n; ++c) to[c * ColourOrder<n>::group] = s.c[c];
  }
};

/// All neighbours of the sites of a cell.
template <int n, int dim>
class CellNeighbours {
 public:
  using V = exact::Vector<n>;

  __device__ __forceinline__ CellNeighbours(const ColourPlaces<n, dim>& places, const ColourSpins<n>& spins) {
#pragma unroll
    for (int m = 0; m < 2; ++m) {
      beside_[m] = spins.load(places.beside[m]);
      across_[m] = spins.load(places.across[m]);
      outside_[m] = spins.load(places.outside[m]);
#pragma unroll
      for (int axis = 2; axis < dim; ++axis) {
        up_[axis - 2][m] = spins.load(places.up[axis - 2][m]);
        down_[axis - 2][m] = spins.load(places.down[axis - 2][m]);
      }
    }
  }
  /// Brings them to length 1.
  __device__ __forceinline__ void renormalize() {
#pragma unroll
    for (int m = 0; m < 2; ++m) {
      beside_[m] = exact::renormalize(beside_[m]);
      across_[m] = exact::renormalize(across_[m]);
      outside_[m] = exact::renormalize(outside_[m]);
#pragma unroll
      for (int axis = 2; axis < dim; ++axis) {
        up_[axis - 2][m] = exact::renormalize(up_[axis - 2][m]);
        down_[axis - 2][m] = exact::renormalize(down_[axis - 2][m]);
      }
    }
  }
  /// visit(bond, spin) for the bonds of a member, 0 .. 2 dim - 1, in the order x+, x-, y+, y-, ...
  template <int member, class Visit>
  __device__ __forceinline__ void for_each(bool shifted, const Visit& visit) const {
    const bool swapped = member == 0 ? shifted : !shifted;  // the next cell along x is at x+
    V plus, minus;
#pragma unroll
    for (int c = 0; c < n; ++c) {
      plus.c[c] = swapped ? across_[member].c[c] : beside_[member].c[c];
      minus.c[c] = swapped ? beside_[member].c[c] : across_[member].c[c];
    }
    visit(0, plus);
    visit(1, minus);
    visit(2, member == 0 ? beside_[1] : outside_[1]);
    visit(3, member == 0 ? outside_[0] : beside_[0]);
#pragma unroll
    for (int axis = 2; axis < dim; ++axis) {
      visit(2 * axis, up_[axis - 2][member]);
      visit(2 * axis + 1, down_[axis - 2][member]);
    }
  }

 private:
  V beside_[2], across_[2], outside_[2], up_[dim > 2 ? dim - 2 : 1][2], down_[dim > 2 ? dim - 2 : 1][2];
};

}}  // namespace glassworks::cuda

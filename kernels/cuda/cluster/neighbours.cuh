#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "kernels/clusters/graph.hpp"
#include "kernels/cuda/device_buffer.hpp"

namespace glassworks { inline namespace cuda {

__device__ __forceinline__ bool bond_is_active(const std::uint32_t* bonds, BondIndex b) {
  return ((__ldg(bonds + (b >> 5)) >> (b & 31U)) & 1U) != 0;
}

/// What a lattice needs in device memory: nothing.
template <class Neighbours>
class NoMemory {
 public:
  explicit NoMemory(const Graph& graph) : view_(graph) {}
  [[nodiscard]] Neighbours view() const { return view_; }

 private:
  Neighbours view_;
};

/// Neighbours on a hypercubic lattice of Dim axes, or on the honeycomb as a brick wall, along active bonds.
template <int Dim>
struct HypercubicNeighbours {
  using Memory = NoMemory<HypercubicNeighbours>;
  Site sites;
  BondIndex stride;
  Site extent[Dim];

  explicit HypercubicNeighbours(const Graph& graph) : sites(graph.sites()), stride(graph.stride()) {
    for (int k = 0; k < Dim; ++k) extent[k] = static_cast<Site>(graph.extents()[static_cast<std::size_t>(k)]);
  }

  /// Calls visit(j) for every neighbour j < i along an active bond, once for each bond.
  template <class Visit>
  __device__ __forceinline__ void for_each_lower(const std::uint32_t* bonds, Site i, Visit&& visit) const {
    Site rest = i, step = 1;
#pragma unroll
    for (int k = 0; k < Dim; ++k) {
      const Site c = rest % extent[k];
      rest /= extent[k];
      if (c > 0 && bond_is_active(bonds, k * stride + (i - step))) visit(i - step);
      if (c == extent[k] - 1 && bond_is_active(bonds, k * stride + i)) visit(i - c * step);
      step *= extent[k];
    }
  }
};

struct TriangularNeighbours {
  using Memory = NoMemory<TriangularNeighbours>;
  Site sites;
  BondIndex stride;
  Site width, height;

  explicit TriangularNeighbours(const Graph& graph)
      : sites(graph.sites()),
        stride(graph.stride()),
        width(static_cast<Site>(graph.extents()[0])),
        height(static_cast<Site>(graph.extents()[1])) {}

  template <class Visit>
  __device__ __forceinline__ void for_each_lower(const std::uint32_t* bonds, Site i, Visit&& visit) const {
    const Site x = i % width, y = i / width;
    const auto try_bond = [&](int direction, Site from, Site j) {
      if (j < i && bond_is_active(bonds, direction * stride + from)) visit(j);
    };
    const Site left = x > 0 ? i - 1 : i + width - 1, right = x + 1 < width ? i + 1 : i + 1 - width;
    const Site down = y > 0 ? i - width : i + (height - 1) * width;
    const Site up = y + 1 < height ? i + width : x;
    const Site down_left = down - x + (left - i + x), up_right = up - x + (right - i + x);
    try_bond(0, left, left);
    try_bond(0, i, right);
    try_bond(1, down, down);
    try_bond(1, i, up);
    try_bond(2, down_left, down_left);
    try_bond(2, i, up_right);
  }
};

/// Neighbours from lists: bonds offsets[i] .. offsets[i + 1] - 1 lead from i to lower[bond].
struct ListedNeighbours {
  Site sites;
  const BondIndex* offsets;
  const Site* lower;

  class Memory {
   public:
    explicit Memory(const Graph& graph) : sites_(graph.sites()) {
      copy(offsets_, graph.offsets());
      copy(lower_, graph.lower());
    }
    [[nodiscard]] ListedNeighbours view() const { return {sites_, offsets_.data(), lower_.data()}; }

   private:
    template <class T>
    static void copy(DeviceBuffer<T>& to, const std::vector<T>& from) {
      to.reserve(from.size() + 1);
      copy_and_wait(to.data(), from.data(), from.size() * sizeof(T), "copying a graph to the device");
    }
    Site sites_;
    DeviceBuffer<BondIndex> offsets_;
    DeviceBuffer<Site> lower_;
  };

  template <class Visit>
  __device__ __forceinline__ void for_each_lower(const std::uint32_t* bonds, Site i, Visit&& visit) const {
    const BondIndex end = __ldg(offsets + i + 1);
    for (BondIndex b = __ldg(offsets + i); b < end; ++b) {
      if (bond_is_active(bonds, b)) visit(__ldg(lower + b));
    }
  }
};

/// Method<Neighbours> of the neighbours of a graph.
template <template <class> class Method, class Made>
[[nodiscard]] std::unique_ptr<Made> make_for_neighbours(const Graph& graph) {
  if (graph.kind() == GraphKind::triangular) return std::make_unique<Method<TriangularNeighbours>>(graph);
  switch (graph.is_lattice() ? graph.dim() : 0) {
    case 1:
      return std::make_unique<Method<HypercubicNeighbours<1>>>(graph);
    case 2:
      return std::make_unique<Method<HypercubicNeighbours<2>>>(graph);
    case 3:
      return std::make_unique<Method<HypercubicNeighbours<3>>>(graph);
    case 4:
      return std::make_unique<Method<HypercubicNeighbours<4>>>(graph);
    default:
      return std::make_unique<Method<ListedNeighbours>>(graph);
  }
}

}}  // namespace glassworks::cuda

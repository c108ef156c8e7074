#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/colours/colour_order.hpp"
#include "kernels/models/vectors.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr unsigned order_threads = 256;

/// f(ColourOrder) for the components of a batch.
template <class F>
decltype(auto) for_colour_order(int components, std::int64_t sites, const F& f) {
  switch (components) {
    case 2:
      return f(ColourOrder<2>(sites));
    case 3:
      return f(ColourOrder<3>(sites));
    default:
      return f(ColourOrder<4>(sites));
  }
}

/// A thread has two sites side by side along x, one of each colour. Grid: `blocks` for each replica. Traffic: 8 n bytes
/// a site.
template <int n>
__global__ void __launch_bounds__(order_threads) order_kernel(const __grid_constant__ DeviceBatch b, float* by_colour,
                                                              unsigned blocks, bool naturally, bool renormalize) {
  const unsigned replica = blockIdx.x / blocks;
  const std::uint32_t q = (blockIdx.x - replica * blocks) * order_threads + threadIdx.x;
  const auto sites = static_cast<std::uint32_t>(b.sites()), L = static_cast<std::uint32_t>(b.lattice.L);
  if (q >= sites / 2) return;
  std::uint32_t parity = 0;
  for (std::uint32_t row = q / (L / 2); row > 0; row /= L) parity += row % L;
  const bool odd = (parity & 1U) != 0;  // the second site has colour 0
  const ColourOrder<n> order(sites);
  float* const ordered = by_colour + std::int64_t{replica} * order.size();
  float* const even = ordered + order.place(0, q);
  float* const other = ordered + order.place(1, q);
  auto* const pair = reinterpret_cast<float2*>(b.spins_of_replica(replica)) + q;
  if (!naturally) {
#pragma unroll
    for (int c = 0; c < n; ++c) {
      const float2 s = pair[c * (sites / 2)];
      even[c * order.group] = odd ? s.y : s.x;
      other[c * order.group] = odd ? s.x : s.y;
    }
    return;
  }
  exact::Vector<n> s;
#pragma unroll
  for (int c = 0; c < n; ++c) s.c[c] = even[c * order.group];
  if (renormalize) s = exact::renormalize(s);
#pragma unroll
  for (int c = 0; c < n; ++c) {
    const float t = other[c * order.group];
    pair[c * (sites / 2)] = make_float2(odd ? t : s.c[c], odd ? s.c[c] : t);
  }
}

void launch_order(const DeviceBatch& b, float* d_by_colour, bool naturally, bool renormalize, cudaStream_t stream) {
  const unsigned blocks = blocks_for(static_cast<std::size_t>(b.sites() / 2), order_threads).x;
  const dim3 grid(blocks * static_cast<unsigned>(b.tasks * b.replicas()));
  const auto start = [&](auto kernel) {
    launch_kernel("ordering spins", kernel, grid, order_threads, 0, stream, b, d_by_colour, blocks, naturally,
                  renormalize);
  };
  if (b.components == 2) return start(order_kernel<2>);
  return b.components == 3 ? start(order_kernel<3>) : start(order_kernel<4>);
}

}  // namespace

std::size_t colour_order_size(const Lattice& lattice, int n) {
  return for_colour_order(n, lattice.sites(), [](auto order) { return static_cast<std::size_t>(order.size()); });
}

void order_by_colour(const DeviceBatch& batch, float* d_by_colour, cudaStream_t stream) {
  launch_order(batch, d_by_colour, false, false, stream);
}

void order_naturally(const float* d_by_colour, const DeviceBatch& batch, bool renormalize, cudaStream_t stream) {
  launch_order(batch, const_cast<float*>(d_by_colour), true, renormalize, stream);
}

}}  // namespace glassworks::cuda

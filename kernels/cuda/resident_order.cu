#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/resident_order.hpp"
#include "kernels/cuda/resident_shape.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int threads_of_block = 256;
constexpr int sites_of_thread = (largest_split_L * largest_split_L + threads_of_block - 1) / threads_of_block;

/// Grid: groups of whole planes, as many sites as the threads of a block take. In place: a block has read its planes
/// before it writes them. Deterministic, no random numbers. Traffic: 8 bytes per component.
template <bool split>
__global__ void reorder_planes_kernel(float* spins, std::int64_t planes, int L, int planes_of_block) {
  const int sites = L * L;
  const SpinOrder order = SpinOrder::split(L, SpinLayout::planar);
  const std::int64_t first = std::int64_t{blockIdx.x} * planes_of_block;
  const auto here = static_cast<int>(min(std::int64_t{planes_of_block}, planes - first));
  float* of_block = spins + first * sites;
  float value[sites_of_thread];
  int to[sites_of_thread];
#pragma unroll
  for (int n = 0; n < sites_of_thread; ++n) {
    const int i = static_cast<int>(threadIdx.x) + n * threads_of_block, plane = i / sites, site = i - plane * sites;
    const int y = site / L, x = site - y * L;
    const int place = plane * sites + order.of_x(x) + order.of_y(y);
    to[n] = plane < here ? (split ? place : i) : -1;
    if (plane < here) value[n] = of_block[split ? i : place];
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < sites_of_thread; ++n) {
    if (to[n] >= 0) of_block[to[n]] = value[n];
  }
}

/// Grid: covers the sites of all replicas. Deterministic, no random numbers. Traffic: 8 bytes per component.
template <bool split>
__global__ void copy_spins_kernel(const float* from, float* to, std::int64_t count, int L, int components,
                                  SpinLayout layout) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, volume = std::int64_t{L} * L * L;
  if (i >= count) return;
  const std::int64_t replica = i / volume, site = i - replica * volume;
  const int plane = static_cast<int>(site / (L * L)), in_plane = static_cast<int>(site - std::int64_t{plane} * L * L);
  const int y = in_plane / L, x = in_plane - y * L;
  const SpinOrder order = SpinOrder::split(L, layout);
  const std::int64_t place = std::int64_t{plane} * L * L + order.of_x(x) + order.of_y(y);
  const std::int64_t base = replica * components * volume;
  for (int c = 0; c < components; ++c) {
    const std::int64_t natural = base + c * volume + site;
    const std::int64_t arranged = base + order.of_component(c, components, place, volume);
    to[split ? arranged : natural] = from[split ? natural : arranged];
  }
}

std::int64_t sites_of(const DeviceBatch& batch) { return std::int64_t{batch.tasks} * batch.replicas() * batch.sites(); }

unsigned blocks_of(std::int64_t count) {
  return static_cast<unsigned>((count + threads_of_block - 1) / threads_of_block);
}

template <bool split>
void copy_spins(const float* d_from, float* d_to, const DeviceBatch& batch, SpinLayout layout, cudaStream_t stream) {
  const std::int64_t count = sites_of(batch);
  copy_spins_kernel<split><<<blocks_of(count), threads_of_block, 0, stream>>>(d_from, d_to, count, batch.lattice.L,
                                                                              batch.components, layout);
  check_launch("arranging spins");
}

/// Where components are paired they cannot change places.
template <bool split>
void reorder_pairs(const DeviceBatch& batch, cudaStream_t stream) {
  const std::int64_t floats = sites_of(batch) * batch.components;
  check_cuda(cudaMemcpyAsync(batch.d_spare_spins, batch.d_spins, static_cast<std::size_t>(floats) * sizeof(float),
                             cudaMemcpyDeviceToDevice, stream),
             "arranging spins");
  copy_spins<split>(batch.d_spare_spins, batch.d_spins, batch, SpinLayout::paired, stream);
}

template <bool split>
void reorder(const DeviceBatch& batch, cudaStream_t stream) {
  const int L = batch.lattice.L, planes_of_block = threads_of_block * sites_of_thread / (L * L);
  const std::int64_t planes = std::int64_t{batch.tasks} * batch.replicas() * batch.components * L;
  const auto blocks = static_cast<unsigned>((planes + planes_of_block - 1) / planes_of_block);
  reorder_planes_kernel<split><<<blocks, threads_of_block, 0, stream>>>(batch.d_spins, planes, L, planes_of_block);
  check_launch("arranging spins");
}

/// Grid: `blocks` blocks for each replica; a thread takes two sites that are neighbours along x. Deterministic, no
/// random numbers. Traffic: 5 bytes per site.
template <bool split>
__global__ void __launch_bounds__(threads_of_block)
    reorder_states_kernel(const uchar2* from_states, float* spins, uchar2* to_states, unsigned blocks, int L) {
  const unsigned replica = blockIdx.x / blocks, pair = blockIdx.x % blocks * threads_of_block + threadIdx.x;
  const auto length = static_cast<unsigned>(L), pairs = length * length * length / 2;
  if (pair >= pairs) return;
  const unsigned row = pair / (length / 2), z = row / length;
  const auto y = static_cast<int>(row - z * length), x = static_cast<int>(2 * pair - row * length);
  const SpinOrder order = SpinOrder::split(L, SpinLayout::planar);
  const std::size_t at = static_cast<std::size_t>(replica) * pairs + pair;
  float* const plane = spins + static_cast<std::size_t>(replica) * 2 * pairs + z * length * length + order.of_y(y);
  float &even = plane[order.of_x(x)], &odd = plane[order.of_x(x + 1)];
  if constexpr (split) {
    const uchar2 states = from_states[at];
    even = states.x != 0 ? 1.0F : -1.0F;
    odd = states.y != 0 ? 1.0F : -1.0F;
  } else {
    to_states[at] = make_uchar2(even > 0.0F ? 1 : 0, odd > 0.0F ? 1 : 0);
  }
}

template <bool split>
void reorder_states(const std::uint8_t* d_from, float* d_spins, std::uint8_t* d_to, const DeviceBatch& batch,
                    cudaStream_t stream) {
  const int L = batch.lattice.L, pairs = L * L * L / 2;
  const auto blocks = static_cast<unsigned>((pairs + threads_of_block - 1) / threads_of_block);
  const auto replicas = static_cast<unsigned>(batch.tasks * batch.replicas());
  reorder_states_kernel<split><<<replicas * blocks, threads_of_block, 0, stream>>>(
      reinterpret_cast<const uchar2*>(d_from), d_spins, reinterpret_cast<uchar2*>(d_to), blocks, L);
  check_launch("arranging spins");
}

/// Grid: covers the arranged couplings of all tasks. Deterministic, no random numbers. Traffic: 8 bytes per coupling.
__global__ void arrange_kernel(const float* couplings, float uniform, float* arranged, std::int64_t count, int L,
                               int depth, int chunks) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int half = L / 2, columns = half * half, threads = columns * chunks, of_thread = couplings_of_thread(depth);
  std::int64_t rest = i / 4;
  const int thread = static_cast<int>(rest % threads);
  rest /= threads;
  const int n = static_cast<int>(rest % (of_thread / 4) * 4 + i % 4);
  rest /= of_thread / 4;
  const int slabs = L / (chunks * depth), slab = static_cast<int>(rest % slabs);
  const std::int64_t task = rest / slabs, sites = std::int64_t{L} * L * L;
  const int column = thread % columns;
  int axis = 2, x = 2 * (column % half), y = 2 * (column / half), z = (slab * chunks + thread / columns) * depth;
  if (n < 12 * depth) {
    axis = n / (6 * depth);
    const int m = n % 3 + L - 1, d = n / 3 % 2;
    x = (x + (axis == 0 ? m : d)) % L;
    y = (y + (axis == 0 ? d : m)) % L;
    z += n % (6 * depth) / 6;
  } else {
    const int q = n % 4;
    x += q % 2;
    y += q / 2;
    z = (z + (n - 12 * depth) / 4 + L - 1) % L;
  }
  arranged[i] =
      couplings != nullptr ? couplings[(task * 3 + axis) * sites + x + L * (y + std::int64_t{L} * z)] : uniform;
}

}  // namespace

void split_planes(DeviceBatch& batch, SpinLayout layout, cudaStream_t stream) {
  layout == SpinLayout::paired ? reorder_pairs<true>(batch, stream) : reorder<true>(batch, stream);
  batch.order = SpinOrder::split(batch.lattice.L, layout);
}
void join_planes(DeviceBatch& batch, cudaStream_t stream) {
  batch.order.layout() == SpinLayout::paired ? reorder_pairs<false>(batch, stream) : reorder<false>(batch, stream);
  batch.order = SpinOrder::natural(batch.lattice.L);
}

void arrange_spins(const float* d_natural, float* d_arranged, const DeviceBatch& batch, SpinLayout layout,
                   cudaStream_t stream) {
  copy_spins<true>(d_natural, d_arranged, batch, layout, stream);
}
void restore_spins(const float* d_arranged, float* d_natural, const DeviceBatch& batch, SpinLayout layout,
                   cudaStream_t stream) {
  copy_spins<false>(d_arranged, d_natural, batch, layout, stream);
}

void split_states(const std::uint8_t* d_states, float* d_spins, const DeviceBatch& batch, cudaStream_t stream) {
  reorder_states<true>(d_states, d_spins, nullptr, batch, stream);
}
void join_states(const float* d_spins, std::uint8_t* d_states, const DeviceBatch& batch, cudaStream_t stream) {
  reorder_states<false>(nullptr, const_cast<float*>(d_spins), d_states, batch, stream);
}

std::size_t CouplingOrder::count() const {
  return static_cast<std::size_t>(L / 2 * (L / 2) * (L / depth) * couplings_of_thread(depth));
}

void arrange_couplings(const CouplingOrder& order, const DeviceBatch& batch, cudaStream_t stream) {
  const auto count = static_cast<std::int64_t>(order.count()) * batch.tasks;
  const auto blocks = static_cast<unsigned>((count + threads_of_block - 1) / threads_of_block);
  arrange_kernel<<<blocks, threads_of_block, 0, stream>>>(batch.d_couplings, batch.coupling, batch.d_arranged_couplings,
                                                          count, order.L, order.depth,
                                                          order.L / order.slabs / order.depth);
  check_launch("arranging couplings");
}

}}  // namespace glassworks::cuda

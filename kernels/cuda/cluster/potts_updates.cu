#include "kernels/core/addresses.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/potts_updates.hpp"
#include "kernels/models/activation.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// What the kernels of an update share.
struct PottsWork {
  std::uint32_t L, q, threshold;
  PhiloxRoundKeys keys;
  std::uint64_t sweep;

  [[nodiscard]] __host__ __device__ std::uint32_t sites() const { return L * L; }
  [[nodiscard]] __device__ __forceinline__ RandomBlock random(Stream stream, std::uint32_t block) const {
    return random_block(keys, stream, 0, 0, sweep, block);
  }
};

/// Bond activation, Stream::bonds: a thread for each site and its two bonds, a word of the set for each warp and axis.
/// Cost: a Philox block a site.
__global__ void __launch_bounds__(256)
    activate_potts_kernel(const __grid_constant__ PottsWork work, const std::uint8_t* states, std::uint32_t* bonds,
                          std::uint32_t plane_words) {
  const std::uint32_t site = blockIdx.x * 256U + threadIdx.x, L = work.L;
  bool right = false, down = false;
  if (site < work.sites()) {
    const std::uint32_t y = site / L, x = site - y * L;
    const RandomBlock random = work.random(Stream::bonds, x + L * (y / 2));  // bond_address
    const bool odd = (y & 1U) != 0;
    const std::uint8_t here = states[site];
    right = here == states[x + 1 < L ? site + 1 : site - x] && (odd ? random.word[2] : random.word[0]) < work.threshold;
    down = here == states[y + 1 < L ? site + L : x] && (odd ? random.word[3] : random.word[1]) < work.threshold;
  }
  const std::uint32_t to_right = __ballot_sync(0xFFFFFFFFU, right), to_down = __ballot_sync(0xFFFFFFFFU, down);
  if ((threadIdx.x & 31U) != 0 || site >= work.sites()) return;
  bonds[site / 32] = to_right;
  bonds[plane_words + site / 32] = to_down;
}

/// A new state for every site, as if it were a root, Stream::cluster. Four to a thread.
__global__ void __launch_bounds__(256)
    draw_potts_kernel(const __grid_constant__ PottsWork work, std::uint32_t* new_states) {
  const std::uint32_t i = blockIdx.x * 256U + threadIdx.x;
  if (i >= (work.sites() + 3) / 4) return;
  const RandomBlock random = work.random(Stream::cluster, i);  // new_state_address
  std::uint32_t states = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) states |= uniform_below(random.word[k], work.q) << (8 * k);
  new_states[i] = states;
}

/// Gives the sites the new states of their roots.
__global__ void __launch_bounds__(256)
    flip_potts_kernel(std::uint32_t sites, const Site* labels, const std::uint8_t* new_states, std::uint8_t* states) {
  const std::uint32_t site = blockIdx.x * 256U + threadIdx.x;
  if (site < sites) states[site] = new_states[labels[site]];
}

}  // namespace

PottsUpdates::PottsUpdates(int L, int q, float beta)
    : graph_(Graph::hypercubic({L, L})), q_(static_cast<std::uint32_t>(q)) {
  states_.reserve(graph_.sites());
  bonds_.reserve(device_bond_words(graph_));
  new_states_.reserve((graph_.sites() + 3) / 4);
  labels_.reserve(graph_.sites());
  set_beta(beta);
}

void PottsUpdates::set_beta(float beta) { threshold_ = bond_threshold(1.0, beta, 1.0F); }

void PottsUpdates::set_states(std::span<const std::uint8_t> states) {
  copy_and_wait(states_.data(), states.data(), states.size_bytes(), "copying states to the device");
}

void PottsUpdates::get_states(std::span<std::uint8_t> states) const {
  check_cuda(cudaMemcpy(states.data(), states_.data(), states.size_bytes(), cudaMemcpyDeviceToHost),
             "copying states from the device");
}

void PottsUpdates::enqueue(DeviceLabelling& labelling, const PhiloxKey& key, std::uint64_t sweep, cudaStream_t stream,
                           const StageMark& mark) {
  const std::uint32_t sites = graph_.sites();
  PottsWork work{static_cast<std::uint32_t>(graph_.extents()[0]), q_, threshold_, PhiloxRoundKeys(key), sweep};
  const dim3 all = blocks_for(sites, 256);
  launch_kernel("activating bonds", activate_potts_kernel, all, 256, 0, stream, work, states_.data(), bonds_.data(),
                graph_.stride() / 32);
  mark("activation");
  labelling.enqueue(bonds_.data(), labels_.data(), stream, mark);
  launch_kernel("drawing states", draw_potts_kernel, blocks_for((sites + 3) / 4, 256), 256, 0, stream, work,
                new_states_.data());
  launch_kernel("flipping clusters", flip_potts_kernel, all, 256, 0, stream, sites, labels_.data(),
                reinterpret_cast<const std::uint8_t*>(new_states_.data()), states_.data());
  mark("flip");
}

}}  // namespace glassworks::cuda

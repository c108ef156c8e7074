#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/series/ising_bits.hpp"
#include "kernels/cuda/series/lag_lattice.cuh"
#include "kernels/models/cluster_sums.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr int bit_threads = 256, lanes = 32, bit_rows_at_once = 4096;

/// Word `threadIdx` of a field. Grid: (words, fields), here and below.
__device__ std::int64_t word_of_thread() { return std::int64_t{blockIdx.x} * bit_threads + threadIdx.x; }

/// A warp makes a word: its lanes read bytes that follow each other.
__global__ void __launch_bounds__(bit_threads)
    pack_states_kernel(const __grid_constant__ IsingBits bits, const __grid_constant__ IsingTasks tasks,
                       const std::uint8_t* d_states, std::uint32_t* d_spins) {
  const std::int64_t word = word_of_thread() / lanes;
  if (word >= bits.size()) return;
  auto rest = static_cast<unsigned>(word);
  const int row = bits.of_row.divide(rest), x = lanes * static_cast<int>(rest) + static_cast<int>(threadIdx.x) % lanes;
  const auto field = static_cast<int>(blockIdx.y);
  const std::uint8_t* const states = d_states + tasks.replica(field) * bits.sites() + std::int64_t{row} * bits.L;
  const unsigned down = __ballot_sync(~0U, x < bits.L && states[x] == 0);
  if (threadIdx.x % lanes == 0) d_spins[field * bits.size() + word] = down;
}

__global__ void __launch_bounds__(bit_threads)
    pair_overlaps_kernel(const __grid_constant__ IsingBits bits, int copies, const std::uint32_t* d_spins,
                         const SeriesPair* d_pairs, int pairs, std::uint32_t* d_overlaps) {
  const std::int64_t word = word_of_thread();
  if (word >= bits.size()) return;
  const int field = static_cast<int>(blockIdx.y), group = field / pairs;
  const SeriesPair pair = d_pairs[field - group * pairs];
  const std::uint32_t* const spins = d_spins + std::int64_t{group} * copies * bits.size() + word;
  d_overlaps[field * bits.size() + word] = spins[pair.a * bits.size()] ^ spins[pair.b * bits.size()];
}

__global__ void __launch_bounds__(bit_threads)
    kept_states_kernel(const __grid_constant__ IsingBits bits, const __grid_constant__ IsingTasks tasks,
                       const std::uint32_t* d_spins, const std::uint32_t* d_kept, std::int64_t kept_words,
                       std::uint32_t* d_overlaps) {
  const std::int64_t word = word_of_thread();
  if (word >= bits.size()) return;
  auto rest = static_cast<unsigned>(word);
  const int row = bits.of_row.divide(rest), of_row = static_cast<int>(rest), field = static_cast<int>(blockIdx.y);
  const std::int64_t replicas = std::int64_t{tasks.copies} * tasks.slots, replica = tasks.replica(field);
  const std::int64_t task = replica / replicas, at = (replica - task * replicas) * bits.sites() +
                                                     std::int64_t{row} * bits.L + std::int64_t{lanes} * of_row;
  const std::uint32_t* const kept = d_kept + (task - tasks.first) * kept_words;
  const std::int64_t first = at / lanes;
  const std::uint32_t up =
      __funnelshift_r(kept[first], first + 1 < kept_words ? kept[first + 1] : 0U, static_cast<unsigned>(at % lanes));
  const std::int64_t i = field * bits.size() + word;
  d_overlaps[i] = (d_spins[i] ^ ~up) & bits.valid(of_row);
}

/// A row at a displacement, r of the steps of a direction.
__device__ int row_of_bits_at(const IsingBits& bits, int row, const signed char (&step)[Lattice::max_dim], int r) {
  auto rest = static_cast<unsigned>(row);
  int other = 0, stride = 1;
  for (int axis = 1; axis < bits.dim; ++axis) {
    unsigned coordinate = rest;
    rest = static_cast<unsigned>(bits.edge.divide(coordinate));
    int c = static_cast<int>(coordinate) + r * step[axis];
    c += c < 0 ? bits.L : c >= bits.L ? -bits.L : 0;
    other += stride * c;
    stride *= bits.L;
  }
  return other;
}

/// Word `word` of a row that is turned by 0 <= dx < L: f(x + dx).
__device__ std::uint32_t turned(const IsingBits& bits, const std::uint32_t* row, int word, int dx) {
  int from = lanes * word + dx;
  from -= from >= bits.L ? bits.L : 0;
  const int i = from / lanes, left = bits.L - from;
  std::uint32_t f = __funnelshift_r(row[i], i + 1 < bits.words ? row[i + 1] : 0U, static_cast<unsigned>(from % lanes));
  if (left < lanes) f |= row[0] << left;
  return f & bits.valid(word);
}

/// Grid: (directions times lags, groups, parts of the rows). Cost: two reads of 4 bytes and a count for 32 sites.
__global__ void __launch_bounds__(bit_threads)
    bit_lag_kernel(const __grid_constant__ IsingBits bits, int of_group,
                   const __grid_constant__ LagDirections directions, const std::uint32_t* d_fields,
                   unsigned long long* d_different) {
  __shared__ unsigned long long total[1];
  if (threadIdx.x == 0) total[0] = 0;
  __syncthreads();
  const int direction = static_cast<int>(blockIdx.x) / directions.lags;
  const int r = directions.first + static_cast<int>(blockIdx.x) - direction * directions.lags;
  const auto& step = directions.step[direction];
  int dx = r * step[0];
  dx += dx < 0 ? bits.L : 0;
  const int begin = static_cast<int>(blockIdx.z) * bit_rows_at_once, end = min(begin + bit_rows_at_once, bits.rows);
  const std::uint32_t* const fields = d_fields + std::int64_t{blockIdx.y} * of_group * bits.size();
  long long different[1] = {0};
  for (int row = begin + static_cast<int>(threadIdx.x); row < end; row += bit_threads) {
    const int other = row_of_bits_at(bits, row, step, r);
    for (int field = 0; field < of_group; ++field) {
      const std::uint32_t* const a = fields + field * bits.size() + std::int64_t{row} * bits.words;
      const std::uint32_t* const b = fields + field * bits.size() + std::int64_t{other} * bits.words;
      int count = 0;
      for (int word = 0; word < bits.words; ++word) {
        count += __popc(a[word] ^ (dx == 0 ? b[word] : turned(bits, b, word, dx)));
      }
      different[0] += count;
    }
  }
  add_to_block(different, total);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&d_different[std::size_t{blockIdx.y} * gridDim.x + blockIdx.x], total[0]);
}

/// Grid: (parts of the rows, fields). Shared memory: the counts of a field.
__global__ void __launch_bounds__(bit_threads)
    bit_plane_kernel(const __grid_constant__ IsingBits bits, const std::uint32_t* d_fields, std::uint32_t* d_counts) {
  extern __shared__ std::uint32_t counts[];
  const int planes = bits.dim * bits.L;
  for (int i = static_cast<int>(threadIdx.x); i < planes; i += bit_threads) counts[i] = 0;
  __syncthreads();
  const int begin = static_cast<int>(blockIdx.x) * bit_rows_at_once, end = min(begin + bit_rows_at_once, bits.rows);
  const std::uint32_t* const field = d_fields + std::int64_t{blockIdx.y} * bits.size();
  const int lane = static_cast<int>(threadIdx.x) % lanes, warp = static_cast<int>(threadIdx.x) / lanes;
  for (int word = 0; word < bits.words; ++word) {  // a lane counts a place of all rows
    std::uint32_t count = 0;
    for (int row = begin + warp; row < end; row += bit_threads / lanes) {
      count += field[std::int64_t{row} * bits.words + word] >> lane & 1U;
    }
    if (lanes * word + lane < bits.L) atomicAdd(counts + lanes * word + lane, count);
  }
  for (int row = begin + static_cast<int>(threadIdx.x); row < end; row += bit_threads) {
    std::uint32_t count = 0;
    for (int word = 0; word < bits.words; ++word) {
      count += static_cast<std::uint32_t>(__popc(field[std::int64_t{row} * bits.words + word]));
    }
    auto rest = static_cast<unsigned>(row);
    for (int axis = 1; axis < bits.dim; ++axis) {
      unsigned coordinate = rest;
      rest = static_cast<unsigned>(bits.edge.divide(coordinate));
      atomicAdd(counts + axis * bits.L + static_cast<int>(coordinate), count);
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < planes; i += bit_threads) {
    if (counts[i] != 0) atomicAdd(d_counts + std::int64_t{blockIdx.y} * planes + i, counts[i]);
  }
}

constexpr int energy_sites_of_thread = 16;

/// Grid: (parts of the sites, replicas [task][slot][copy]).
__global__ void __launch_bounds__(bit_threads)
    ising_energy_kernel(const __grid_constant__ DeviceBatch b, const __grid_constant__ IsingTasks tasks,
                        unsigned long long* d_sums) {
  __shared__ unsigned long long total[1];
  if (threadIdx.x == 0) total[0] = 0;
  __syncthreads();
  const std::int64_t replica = tasks.replica(static_cast<int>(blockIdx.y));
  const auto task = static_cast<int>(replica / b.replicas());
  const std::uint8_t* const states = b.d_states + replica * b.sites();
  const float scale = b.energy_scale(task).multiplier();
  const Lattice& lattice = b.lattice;
  long long sum[1] = {0};
  for (int i = 0; i < energy_sites_of_thread; ++i) {
    const std::int64_t site = (std::int64_t{blockIdx.x} * energy_sites_of_thread + i) * bit_threads + threadIdx.x;
    if (site >= b.sites()) break;
    const std::uint8_t s = states[site];
    std::int64_t rest = site, stride = 1;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const std::int64_t next = rest / lattice.L;
      const bool last = rest - next * lattice.L == lattice.L - 1;
      const std::uint8_t other = states[last ? site - (lattice.L - 1) * stride : site + stride];
      const float J = b.d_couplings == nullptr ? b.coupling : b.couplings_of(task)[axis * b.sites() + site];
      const std::int64_t term = to_fixed_clamped(J, scale);
      sum[0] += ((s ^ other) & 1) != 0 ? -term : term;
      rest = next;
      stride *= lattice.L;
    }
    if (b.d_fields == nullptr) continue;
    const std::int64_t term = to_fixed_clamped(b.fields_of(task)[site], scale);
    sum[0] += (s & 1) != 0 ? term : -term;
  }
  add_to_block(sum, total);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(d_sums + blockIdx.y, total[0]);
}

unsigned blocks(std::int64_t count, std::int64_t of_block) {
  return static_cast<unsigned>((count + of_block - 1) / of_block);
}

}  // namespace

void launch_pack_states(const IsingBits& bits, const IsingTasks& tasks, const std::uint8_t* d_states,
                        std::uint32_t* d_spins, cudaStream_t stream) {
  const dim3 grid(blocks(bits.size() * lanes, bit_threads), static_cast<unsigned>(tasks.groups() * tasks.copies));
  launch_kernel("ordering spins", pack_states_kernel, grid, bit_threads, 0, stream, bits, tasks, d_states, d_spins);
}

void launch_pair_overlaps(const IsingBits& bits, const IsingTasks& tasks, const std::uint32_t* d_spins,
                          const SeriesPair* d_pairs, int pairs, std::uint32_t* d_overlaps, cudaStream_t stream) {
  const dim3 grid(blocks(bits.size(), bit_threads), static_cast<unsigned>(tasks.groups() * pairs));
  launch_kernel("forming overlaps", pair_overlaps_kernel, grid, bit_threads, 0, stream, bits, tasks.copies, d_spins,
                d_pairs, pairs, d_overlaps);
}

void launch_kept_states(const IsingBits& bits, const IsingTasks& tasks, const std::uint32_t* d_spins,
                        const std::uint32_t* d_kept, std::int64_t words, std::uint32_t* d_overlaps,
                        cudaStream_t stream) {
  const dim3 grid(blocks(bits.size(), bit_threads), static_cast<unsigned>(tasks.groups() * tasks.copies));
  launch_kernel("forming overlaps", kept_states_kernel, grid, bit_threads, 0, stream, bits, tasks, d_spins, d_kept,
                words, d_overlaps);
}

void launch_bit_lags(const IsingBits& bits, int groups, int of_group, const LagDirections& directions,
                     const std::uint32_t* d_fields, unsigned long long* d_different, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(directions.count * directions.lags), static_cast<unsigned>(groups),
                  blocks(bits.rows, bit_rows_at_once));
  launch_kernel("measuring correlations", bit_lag_kernel, grid, bit_threads, 0, stream, bits, of_group, directions,
                d_fields, d_different);
}

void launch_bit_planes(const IsingBits& bits, int fields, const std::uint32_t* d_fields, std::uint32_t* d_counts,
                       cudaStream_t stream) {
  launch_kernel("measuring planes", bit_plane_kernel,
                dim3(blocks(bits.rows, bit_rows_at_once), static_cast<unsigned>(fields)), bit_threads,
                static_cast<std::size_t>(bits.dim * bits.L) * sizeof(std::uint32_t), stream, bits, d_fields, d_counts);
}

void launch_ising_energies(const DeviceBatch& batch, const IsingTasks& tasks, unsigned long long* d_sums,
                           cudaStream_t stream) {
  const dim3 grid(blocks(batch.sites(), std::int64_t{bit_threads} * energy_sites_of_thread),
                  static_cast<unsigned>(tasks.groups() * tasks.copies));
  launch_kernel("measuring energies", ising_energy_kernel, grid, bit_threads, 0, stream, batch, tasks, d_sums);
}

}}  // namespace glassworks::cuda

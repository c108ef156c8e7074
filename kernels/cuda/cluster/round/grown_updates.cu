#include <algorithm>
#include <type_traits>

#include "kernels/cuda/cluster/round/bond_rule.cuh"
#include "kernels/cuda/cluster/round/grown_updates.hpp"
#include "kernels/cuda/cluster/round/growth_bonds.cuh"
#include "kernels/cuda/cluster/round/reached_sites.cuh"
#include "kernels/cuda/cluster/round/system_launch.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// What the threads of a block share of the clusters that grow.
struct GrowthTally {
  std::uint32_t count;  ///< sites on the list
  std::uint32_t root;   ///< smallest site of the cluster
};

/// The updates of one system by one block. Bonds: see growth_bonds.cuh.
///
/// Each bond has its own random word, so that the clusters do not depend on the order in which they grow: threads take
/// the bonds of the sites that were reached last, and put the sites that they reach on the list in any order.
template <class M, class Bonds>
class Growth {
 public:
  using Site = typename M::Site;

  __device__ __forceinline__ Growth(const ClusterBatch& batch, unsigned system, const ReachedSites& reached,
                                    GrowthTally& tally)
      : b_(batch),
        system_(system),
        task_(batch.task_of(system)),
        sites_(batch.sites_of<M>(system)),
        bonds_(batch, task_),
        is_active_(batch, task_, batch.common.d_slot[system]),
        reached_(reached),
        tally_(tally) {}

  /// gains: whether `gain` is wanted.
  __device__ __forceinline__ void update(std::uint64_t number, bool gains) {
    number_ = number;
    if constexpr (!M::discrete) {
      direction_ = exact::random_direction<M::components>(random(Stream::reflection, direction_block));
    }
    const Lattice& lattice = b_.common.lattice;
    const bool few = b_.common.protocol.kind == ProtocolKind::few_cluster;
    const int edge = few ? b_.common.protocol.seed_tile : lattice.L;
    const Lattice tiles{lattice.dim, lattice.L / edge};
    const auto seeds = few ? static_cast<std::uint32_t>(tiles.sites()) : 1U;
    for (std::uint32_t k = 0; k < seeds; ++k) {
      const RandomBlock where = random(Stream::reflection, seed_block(k));
      const std::int64_t seed = few ? seed_site(lattice, tiles, k, where) : seed_site(lattice, where);
      // A cluster that moved before has its marks, and no active bond to others.
      if (reached_.has(static_cast<std::uint32_t>(seed))) continue;
      const std::uint32_t first = tally_.count;
      grow(first, static_cast<std::uint32_t>(seed));
      move(first, tally_.count, tally_.root, few, gains);
    }
    __syncthreads();
    reached_.clear(tally_.count);
    reached += tally_.count;
    __syncthreads();
    if (threadIdx.x == 0) tally_.count = 0;
    __syncthreads();
  }

  // Of all updates.
  unsigned long long reached = 0, moved = 0;  ///< sites
  long long gain = 0;                         ///< how much -E has grown [energy scale]; add those of all threads

 private:
  using Rule = BondRule<M::discrete>;

  [[nodiscard]] __device__ __forceinline__ RandomBlock random(Stream stream, std::uint32_t index) const {
    return b_.random(stream, system_, number_, index);
  }
  [[nodiscard]] __device__ __forceinline__ typename Rule::Value value(std::uint32_t site) const {
    if constexpr (M::discrete) {
      return sites_.load(site);
    } else {
      return exact::dot(direction_, sites_.load(site));
    }
  }

  /// visit(site, bond) for the bonds of the sites at places begin <= i < end of the list, by all threads together.
  template <class Visit>
  __device__ __forceinline__ void for_bonds(std::uint32_t begin, std::uint32_t end, const Visit& visit) const {
    bonds_.for_each(
        begin, end, [&](std::uint32_t i) { return reached_.at(i); }, visit);
  }

  /// Puts the cluster of a seed on the list, from place `first` on. Ends with all threads together.
  __device__ __forceinline__ void grow(std::uint32_t first, std::uint32_t seed) {
    __syncthreads();
    if (threadIdx.x == 0) {
      static_cast<void>(reached_.take(seed));
      reached_.put(first, seed);
      tally_ = {first + 1, seed};
    }
    __syncthreads();
    std::uint32_t smallest = seed;
    for (std::uint32_t begin = first, end = first + 1; begin < end;) {
      for_bonds(begin, end, [&](std::uint32_t site, const BondOfSite& bond) {
        if (!joins(site, bond)) return;
        reached_.put(atomicAdd(&tally_.count, 1U), bond.neighbour);
        smallest = min(smallest, bond.neighbour);
      });
      __syncthreads();
      begin = end;
      end = tally_.count;
      __syncthreads();
    }
    smallest = __reduce_min_sync(~0U, smallest);
    if (threadIdx.x % 32 == 0) atomicMin(&tally_.root, smallest);
    __syncthreads();
  }

  /// Whether a bond of a site of the cluster is active, and this thread is the first one that reaches the neighbour.
  [[nodiscard]] __device__ __forceinline__ bool joins(std::uint32_t site, const BondOfSite& bond) const {
    const bool known = reached_.has(bond.neighbour);
    const auto here = value(site), there = value(bond.neighbour);
    const float J = bonds_.coupling(bond);
    if (known || !is_active_.may_be_active(J, here, there)) return false;
    const WordAddress address = bonds_.address(bond);
    const std::uint32_t word = chosen_word(random(Stream::bonds, address.block), address.word);
    return is_active_(J, here, there, word) && reached_.take(bond.neighbour);
  }

  /// Moves the cluster at places begin <= i < end of the list, if it moves. By all threads together.
  __device__ __forceinline__ void move(std::uint32_t begin, std::uint32_t end, std::uint32_t root, bool few,
                                       bool gains) {
    const RandomBlock words = random(Stream::cluster, single_cluster_block(root));
    if (few && words.word[0] >= b_.flip_threshold) return;
    std::uint8_t fate = 1;
    if constexpr (M::discrete) {
      fate = M::fate(sites_.load(root), words.word[1], b_.model.states);
      // Bonds inside of the cluster count twice, but do not change.
      if (gains) gain -= bonds_of_sites(begin, end);
      __syncthreads();
    }
    for (std::uint32_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
      const std::uint32_t site = reached_.at(i);
      const Site s = sites_.load(site);
      if constexpr (M::discrete) {
        sites_.store(site, M::moved(s, fate));
      } else {
        sites_.store(site, M::moved(s, direction_, exact::dot(direction_, s)));
      }
    }
    moved += end - begin;
    __syncthreads();
    if constexpr (M::discrete) {
      if (gains) gain += bonds_of_sites(begin, end);
    }
  }

  /// The terms of -E of all bonds of the sites at these places, those of this thread.
  [[nodiscard]] __device__ __forceinline__ long long bonds_of_sites(std::uint32_t begin, std::uint32_t end) const {
    const float multiplier = b_.common.energy_scale(task_).multiplier();
    long long sum = 0;
    for_bonds(begin, end, [&](std::uint32_t site, const BondOfSite& bond) {
      const float x = M::product(b_.model, sites_.load(site), sites_.load(bond.neighbour));
      sum += to_fixed_clamped(exact::mul(bonds_.coupling(bond), x), multiplier);
    });
    return sum;
  }

  const ClusterBatch& b_;
  const unsigned system_;
  const int task_;
  const SiteArray<Site> sites_;
  const Bonds bonds_;
  const Rule is_active_;
  const ReachedSites& reached_;
  GrowthTally& tally_;
  std::uint64_t number_ = 0;
  exact::Vector<M::components> direction_{};
};

/// One block a system. Cost: a Philox block for each bond that may be active and leads from a cluster to a site that it
/// has not reached yet.
template <class M, class Bonds>
__global__ void __launch_bounds__(most_growth_threads)
    grow_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ GrownUpdates updates,
                const __grid_constant__ GrowthMemory memory) {
  extern __shared__ std::uint32_t words_of_block[];
  __shared__ GrowthTally tally;
  const unsigned system = b.launched_system(blockIdx.x);
  const int task = b.task_of(system);
  if (threadIdx.x == 0) tally = {0, 0};
  const ReachedSites reached(memory, system, words_of_block, b.d_labels + b.first_site(system));
  Growth<M, Bonds> growth(b, system, reached, tally);
  const std::uint64_t first = updates.first.of(b, task);
  for (int i = 0; i < updates.count; ++i) {
    growth.update(first + static_cast<std::uint64_t>(i), updates.energy != GrownEnergy::none);
  }
  if (threadIdx.x == 0) {
    if (updates.counts) atomicAdd(b.d_moved + system, growth.moved);
    if (b.d_found != nullptr) {
      unsigned long long* const found = b.d_found + 2 * b.common.d_slot[system];
      atomicAdd(found, growth.reached);
      atomicAdd(found + 1, static_cast<unsigned long long>(updates.count));
    }
  }
  if constexpr (M::discrete) {
    if (updates.energy == GrownEnergy::none) return;
    auto* const sum = reinterpret_cast<long long*>(
        b.common.energy_sum(updates.first.step, task, static_cast<int>(system) % b.common.replicas()));
    const bool completes = updates.energy == GrownEnergy::complete && threadIdx.x == 0;
    const long long of_warp = warp_sum(growth.gain - (completes ? b.common.d_energy[system] : 0));
    if (threadIdx.x % 32 == 0 && of_warp != 0) add_atomically(sum, of_warp);
  }
}

}  // namespace

void grow_clusters(const ClusterBatch& b, const GrownUpdates& updates, const GrowthMemory& memory, unsigned threads,
                   cudaStream_t stream) {
  const auto systems = static_cast<unsigned>(b.launched());
  if (systems == 0 || updates.count == 0) return;
  for_cluster_model(b.model, [&](auto m) {
    using M = decltype(m);
    const auto start = [&](auto bonds) {
      launch_kernel("growing clusters", grow_kernel<M, typename decltype(bonds)::type>, dim3(systems),
                    std::min(threads, most_growth_threads), memory.shared_bytes(), stream, b, updates, memory);
    };
    const Lattice& lattice = b.common.lattice;
    if (lattice.is_graph()) return start(std::type_identity<BondsOfGraph>{});
    if (!b.has_cubes() || lattice.dim < 2 || lattice.dim > 3) {
      return start(std::type_identity<BondsOfLattice<DirectionsOfLattice>>{});
    }
    lattice.dim == 2 ? start(std::type_identity<BondsOfLattice<DirectionsOfCube<2>>>{})
                     : start(std::type_identity<BondsOfLattice<DirectionsOfCube<3>>>{});
  });
}

}}  // namespace glassworks::cuda

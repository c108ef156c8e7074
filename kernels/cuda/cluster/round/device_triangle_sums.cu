#include <algorithm>

#include "kernels/cuda/cluster/round/device_triangle_sums.hpp"
#include "kernels/cuda/cluster/round/plane_values.cuh"
#include "kernels/models/for_model.hpp"
#include "kernels/rounds/triangle_table.hpp"

namespace glassworks { inline namespace cuda {
namespace {

/// The corners of a triangle in a replica. M: a model that has chiralities of triangles.
template <class M>
__device__ __forceinline__ TriangleSpins<M::components> corners_of(const Triangle& t,
                                                                   const SiteArray<typename M::Site>& sites) {
  return spins_of_triangle<M::components>(t, [&](std::int32_t i) { return sites.load(static_cast<std::uint32_t>(i)); });
}

/// Grid: blocks of all systems.
template <class M>
__global__ void __launch_bounds__(256)
    triangle_square_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, long long* d_squares) {
  const ThreadPlace place(blocks);
  const TriangleList list = b.d_triangles[b.task_of(place.system)];
  const auto sites = b.sites_of<M>(place.system);
  long long sum = 0;
  for (std::uint32_t i = place.item; i < list.count; i += place.stride) {
    sum += to_fixed_wide(triangle_square(corners_of<M>(list.triangles[i], sites)), triangle_scale.multiplier());
  }
  block_add(sum, d_squares + place.system);
}

/// Grid: blocks of all pairs of copies in all slots. A warp that is in one plane adds its sum. gather: whether the
/// planes fit into shared memory.
template <class M>
__global__ void __launch_bounds__(256)
    triangle_pair_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, bool gather, long long* d_planes) {
  extern __shared__ unsigned gathered[];
  const Lattice& lattice = b.common.lattice;
  const ThreadPlace place(blocks);
  const auto planes = static_cast<std::uint32_t>(lattice.planes());
  const PlaneAdder add{gathered, reinterpret_cast<int*>(gathered + planes),
                       d_planes + static_cast<std::size_t>(place.system) * planes, gather};
  for (std::uint32_t i = threadIdx.x; gather && i < 2 * planes; i += blockDim.x) gathered[i] = 0;
  __syncthreads();
  const CopiesInSlot copies(b, place.system);
  const TriangleList list = b.d_triangles[b.task_of(copies.a)];
  const auto of_a = b.sites_of<M>(copies.a), of_b = b.sites_of<M>(copies.b);
  const float scale = b.scales.product.multiplier();
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t start = place.item - lane; start < list.count; start += place.stride) {
    const std::uint32_t i = start + lane;
    const bool inside = i < list.count;
    std::int32_t term = 0;
    if (inside) {
      const Triangle t = list.triangles[i];
      term = to_fixed(
          exact::mul(triangle_chirality_of(corners_of<M>(t, of_a)), triangle_chirality_of(corners_of<M>(t, of_b))),
          scale);
    }
    const std::int32_t* const of_triangle = list.planes + std::size_t{inside ? i : start} * lattice.dim;
    for (int axis = 0; axis < lattice.dim; ++axis) {
      const auto at = static_cast<std::uint32_t>(of_triangle[axis]);
      int alike = 0;
      __match_all_sync(~0U, at, &alike);
      if (alike != 0) {
        const long long of_warp = group_sum(~0U, term);
        if (lane == 0) add(at, of_warp);
      } else if (inside) {
        add(at, term);
      }
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; gather && i < planes; i += blockDim.x) {
    const long long sum = SplitSum{add.low[i], add.high[i]}.value();
    if (sum != 0) add_atomically(add.own + i, sum);
  }
}

/// start(M{}) for the model of a batch, which has chiralities of triangles.
template <class Start>
void for_triangle_model(const SpinModel& model, const Start& start) {
  for_any_model(model, [&](auto m) {
    if constexpr (has_triangle_chirality<decltype(m)>) start(m);
  });
}

}  // namespace

void launch_triangle_squares(const ClusterBatch& b, long long* d_squares, cudaStream_t stream) {
  if (b.most_triangles == 0) return;
  for_triangle_model(b.model, [&](auto m) {
    SystemLaunch(b.most_triangles, 1024)("summing chiralities", triangle_square_kernel<decltype(m)>, b.systems(),
                                         stream, b, d_squares);
  });
}

void launch_triangle_pairs(const ClusterBatch& b, long long* d_planes, cudaStream_t stream) {
  if (b.most_triangles == 0) return;
  const auto pairs = static_cast<unsigned>(b.units() * b.pairs());
  const std::size_t bytes = static_cast<std::size_t>(b.common.lattice.planes()) * sizeof(long long);
  const bool gather = bytes <= most_shared_bytes;
  // Blocks of at most 2^15 triangles, as PlaneAdder needs, and more of them as long as there are places on the device.
  constexpr unsigned threads = 256, wanted_blocks = 2048, most_of_block = 1U << 15;
  const unsigned turns = (b.most_triangles + threads - 1) / threads;
  const unsigned wanted = std::max(wanted_blocks / pairs, (b.most_triangles + most_of_block - 1) / most_of_block);
  const unsigned blocks = std::clamp(wanted, 1U, turns);
  for_triangle_model(b.model, [&](auto m) {
    launch_kernel("summing products of chiralities", triangle_pair_kernel<decltype(m)>, dim3(blocks * pairs), threads,
                  gather ? bytes : 0, stream, blocks, b, gather, d_planes);
  });
}

void TriangleLists::upload(const Chain& chain, std::span<const HeldTask> tasks, ClusterBatch& batch, StagedCopy& staged,
                           cudaStream_t stream) {
  batch.d_triangles = nullptr;
  batch.most_triangles = 0;
  if ((chain.local & triangle_chirality) == 0) return;
  std::vector<TriangleTable> tables;
  std::size_t all = 0;
  for (const HeldTask& task : tasks) {
    const TriangleTable& table = tables.emplace_back(chain, *task.disorder);
    all += static_cast<std::size_t>(table.size());
    batch.most_triangles = std::max(batch.most_triangles, static_cast<std::uint32_t>(table.size()));
  }
  Triangle* d_triangles = triangles_.reserve(std::max<std::size_t>(all, 1));
  std::int32_t* d_planes = planes_.reserve(std::max<std::size_t>(all * static_cast<std::size_t>(chain.lattice.dim), 1));
  std::vector<TriangleList> lists;
  for (const TriangleTable& table : tables) {
    staged.to_device(d_triangles, table.triangles().data(), table.triangles().size() * sizeof(Triangle), stream);
    staged.to_device(d_planes, table.planes().data(), table.planes().size() * sizeof(std::int32_t), stream);
    lists.push_back({d_triangles, d_planes, static_cast<std::uint32_t>(table.size())});
    d_triangles += table.triangles().size();
    d_planes += table.planes().size();
  }
  TriangleList* const d_lists = lists_.reserve(lists.size());
  staged.to_device(d_lists, lists.data(), lists.size() * sizeof(TriangleList), stream);
  batch.d_triangles = d_lists;
}

double TriangleLists::bytes(const Chain& chain) {
  if ((chain.local & triangle_chirality) == 0) return 0.0;
  const double of_triangle = sizeof(Triangle) + sizeof(std::int32_t) * static_cast<double>(chain.lattice.dim);
  return of_triangle * TriangleTable::expected(chain.lattice);
}

}}  // namespace glassworks::cuda

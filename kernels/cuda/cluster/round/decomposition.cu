#include <algorithm>

#include "kernels/core/modes.hpp"
#include "kernels/cuda/cluster/round/decomposition.cuh"

namespace glassworks { inline namespace cuda {
namespace {

/// The bond across a boundary that a thread has, if any.
struct CrossingBond {
  std::uint32_t number;  ///< of the bond in the system
  bool exists = false;
  int bond = 0;  ///< which one of the site `from`
  std::uint32_t from = 0, to = 0;
  int step[Lattice::max_dim] = {};  ///< times across the end of each axis: +1, -1 or 0

  __device__ __forceinline__ CrossingBond(const ClusterBatch& b, const ThreadPlace& place) : number(place.item) {
    if (number < b.crossings()) b.has_cubes() ? find_in_cube(b) : find_by_vector(b);
  }
  /// Among those of all systems.
  [[nodiscard]] __device__ __forceinline__ std::size_t at(const ClusterBatch& b, unsigned system) const {
    return static_cast<std::size_t>(system) * b.crossings() + number;
  }

 private:
  __device__ __forceinline__ void find_in_cube(const ClusterBatch& b) {
    bond = static_cast<int>(number / b.face());
    const BoundaryBond along(b.common.lattice, bond, number % b.face());
    from = along.from;
    to = along.to;
    for (int a = 0; a < Lattice::max_dim; ++a) step[a] = a == bond ? 1 : 0;
    exists = true;
  }
  /// A bond that crosses several ends is that of the first axis.
  __device__ __forceinline__ void find_by_vector(const ClusterBatch& b) {
    const Lattice& lattice = b.common.lattice;
    const std::uint32_t dim = static_cast<std::uint32_t>(lattice.dim), j = number % b.face();
    bond = static_cast<int>(number / b.face() / dim);
    const int axis = static_cast<int>(number / b.face() % dim);
    const int along = lattice.step(bond, axis);
    const auto L = static_cast<std::uint32_t>(lattice.length(axis));
    if (along == 0 || j >= b.sites / L) return;
    std::uint32_t distance = 1;
    for (int a = 0; a < axis; ++a) distance *= static_cast<std::uint32_t>(lattice.length(a));
    from = j % distance + (along > 0 ? L - 1 : 0) * distance + j / distance * distance * L;
    const Lattice::Coordinates c = lattice.coordinates(from);
    for (int a = 0; a < lattice.dim; ++a) {
      step[a] = lattice.crossing(c, bond, +1, a);
      if (a < axis && step[a] != 0) return;
    }
    to = static_cast<std::uint32_t>(lattice.neighbour(c, bond, +1));
    exists = true;
  }
};

/// Takes the active bonds across boundaries out of d_bonds.
__global__ void __launch_bounds__(256)
    cut_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, OpenEnds* d_ends) {
  const ThreadPlace place(blocks);
  const CrossingBond crossing(b, place);
  if (crossing.number >= b.crossings()) return;
  if (!crossing.exists) {
    d_ends[crossing.at(b, place.system)] = {OpenEnds::none, OpenEnds::none};
    return;
  }
  const std::size_t plane = static_cast<std::size_t>(place.system) * b.common.lattice.owned() + crossing.bond;
  std::uint32_t* word = b.d_bonds + plane * b.plane_words + crossing.from / 32;
  const std::uint32_t bit = 1U << (crossing.from % 32);
  const bool active = (*reinterpret_cast<volatile std::uint32_t*>(word) & bit) != 0;
  d_ends[crossing.at(b, place.system)] = {active ? crossing.from : OpenEnds::none, crossing.to};
  if (active) atomicAnd(word, ~bit);
}

/// Replaces the ends of crossing bonds by the roots of their open clusters, which have no positions yet.
__global__ void __launch_bounds__(256) end_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b,
                                                  const __grid_constant__ Part part, OpenEnds* d_ends) {
  const ThreadPlace place(blocks);
  const CrossingBond crossing(b, place);
  if (!crossing.exists) return;
  OpenEnds ends = d_ends[crossing.at(b, place.system)];
  if (ends.from == OpenEnds::none) return;
  ends = {part.d_labels[part.at(b, place.system, ends.from)], part.d_labels[part.at(b, place.system, ends.to)]};
  d_ends[crossing.at(b, place.system)] = ends;
  part.d_round[part.at(b, place.system, ends.from)] = -1;
  part.d_round[part.at(b, place.system, ends.to)] = -1;
}

/// What a thread of the kernels below works on: an active bond across a boundary, if it has one.
struct ActiveCrossing : CrossingBond {
  OpenEnds ends{OpenEnds::none, OpenEnds::none};

  __device__ __forceinline__ ActiveCrossing(const ClusterBatch& b, const Part& part, const ThreadPlace& place)
      : CrossingBond(b, place) {
    if (exists) ends = part.ends(b, place.system, number);
  }
  [[nodiscard]] __device__ __forceinline__ bool active() const { return ends.from != OpenEnds::none; }
};

__global__ void __launch_bounds__(256)
    join_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  const ThreadPlace place(blocks);
  const ActiveCrossing crossing(b, part, place);
  if (crossing.active())
    unite_global(part.d_labels + part.at(b, place.system, 0), crossing.ends.from, crossing.ends.to);
}

/// Positions start at the roots of clusters: those of open clusters that hang on no other.
__global__ void __launch_bounds__(256)
    origin_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part) {
  const ThreadPlace place(blocks);
  const ActiveCrossing crossing(b, part, place);
  if (!crossing.active()) return;
  const int dim = b.common.lattice.dim;
  for (const std::uint32_t end : {crossing.ends.from, crossing.ends.to}) {
    const std::size_t at = part.at(b, place.system, end);
    if (part.d_labels[at] != end) continue;
    part.d_round[at] = 0;
    for (int a = 0; a < dim; ++a) part.d_position[at * dim + a] = 0;
  }
}

/// Notes the axes along which a bond closes paths around the lattice: those where the positions of its ends do not fit.
__device__ __forceinline__ void note_winding(const ClusterBatch& b, const Part& part, unsigned system,
                                             const ActiveCrossing& crossing, int words) {
  const int dim = b.common.lattice.dim;
  const int* from = part.d_position + part.at(b, system, crossing.ends.from) * dim;
  const int* to = part.d_position + part.at(b, system, crossing.ends.to) * dim;
  unsigned wraps = 0;
  for (int a = 0; a < dim; ++a) wraps |= from[a] + crossing.step[a] != to[a] ? 1U << a : 0U;
  if (wraps == 0) return;
  const std::uint32_t root = find_root(part.d_labels + part.at(b, system, 0), crossing.ends.from);
  atomicOr(part.d_terms + part.at(b, system, root) * static_cast<unsigned>(words),
           static_cast<unsigned long long>(wraps) << 32);
}

/// Gives positions to open clusters that are joined to one with a position from an earlier round. Bonds between two
/// such clusters are checked once more, then skipped. Returns at once when the previous round found none.
__global__ void __launch_bounds__(256)
    position_kernel(unsigned blocks, const __grid_constant__ ClusterBatch b, const __grid_constant__ Part part,
                    OpenEnds* d_ends, int round, int words) {
  if (static_cast<int>(__ldcg(part.d_last_change)) < round - 1) return;
  const ThreadPlace place(blocks);
  const ActiveCrossing crossing(b, part, place);
  if (!crossing.active() || crossing.ends.to == OpenEnds::none) return;
  const int dim = b.common.lattice.dim;
  const std::size_t from = part.at(b, place.system, crossing.ends.from);
  const std::size_t to = part.at(b, place.system, crossing.ends.to);
  const int when_from = __ldcg(part.d_round + from), when_to = __ldcg(part.d_round + to);
  const bool knows_from = when_from >= 0 && when_from < round, knows_to = when_to >= 0 && when_to < round;
  if (knows_from && knows_to) {
    note_winding(b, part, place.system, crossing, words);
    d_ends[crossing.at(b, place.system)].to = OpenEnds::none;
    return;
  }
  if (!knows_from && !knows_to) return;
  const std::size_t known = knows_from ? from : to, other = knows_from ? to : from;
  if (atomicCAS(part.d_round + other, -1, round) != -1) return;
  for (int a = 0; a < dim; ++a) {
    const int step = crossing.step[a];
    part.d_position[other * dim + a] = part.d_position[known * dim + a] + (knows_from ? step : -step);
  }
  atomicMax(part.d_last_change, static_cast<unsigned>(round));
}

/// Memory that the records of one part may take.
std::size_t memory_of_part() {
  std::size_t unused = 0, all = 0;
  check_cuda(cudaMemGetInfo(&unused, &all), "querying the device");
  return std::clamp<std::size_t>(all / 32, std::size_t{1} << 30, std::size_t{4} << 30);
}

}  // namespace

void Decomposition::prepare(const ClusterBatch& b, cudaStream_t stream) {
  const int dim = b.common.lattice.dim;
  if (phase_lattice_ != b.common.lattice ||
      phase_scales_ != std::pair(b.scales.component.exponent, b.scales.square.exponent)) {
    prepare_phases(b.common.lattice, b.scales);
  }
  const auto words = static_cast<std::size_t>(record_words(b.model, dim));
  const std::size_t bytes = b.sites * (4 + 4 * static_cast<std::size_t>(dim) + 8 * words);
  const auto systems = static_cast<std::size_t>(b.systems());
  group_ = static_cast<unsigned>(std::clamp<std::size_t>(memory_of_part() / bytes, 1, systems));
  const std::size_t sites = static_cast<std::size_t>(group_) * b.sites;
  ends_.reserve(systems * b.crossings());
  round_.reserve(sites);
  position_.reserve(sites * static_cast<std::size_t>(dim));
  terms_.reserve(sites * words);
  check_cuda(cudaMemsetAsync(terms_.data(), 0, sites * words * sizeof(unsigned long long), stream), "clearing memory");
  last_change_.reserve(1);
  last_change_here_.reserve(1);
  records_.reserve(group_);
}

void Decomposition::prepare_phases(const Lattice& lattice, const SumScales& scales) {
  std::vector<float> phase;
  for (int axis = 0; axis < (are_cubes(lattice) ? 1 : lattice.dim); ++axis) {
    const std::vector<double> table = PhaseTable(lattice.length(axis)).joined();
    phase.insert(phase.end(), table.begin(), table.end());
  }
  std::vector<std::int32_t> term;  // fix(cos), then fix(sin)
  for (const float x : phase) term.push_back(to_fixed_clamped(x, scales.component.multiplier()));
  const auto half = static_cast<std::size_t>(lattice.length(0));
  std::vector<long long> before, single;
  for (const std::size_t first : {std::size_t{0}, half}) {
    before.push_back(0);
    for (std::size_t x = 0; x < half; ++x) before.push_back(before.back() + term[first + x]);
  }
  for (std::size_t x = 0; x < half; ++x) {
    const double unit = scales.component.unit();
    single.push_back(
        rounded_square(term[x] * unit, term[half + x] * unit, static_cast<double>(scales.square.multiplier())));
  }
  const auto copy = [](auto& buffer, const auto& values) {
    copy_and_wait(buffer.reserve(values.size()), values.data(), values.size() * sizeof values[0],
                  "copying phases to the device");
  };
  copy(phase_, phase);
  copy(before_, before);
  copy(single_, single);
  phase_lattice_ = lattice;
  phase_scales_ = {scales.component.exponent, scales.square.exponent};
}

void Decomposition::measure(const ClusterBatch& b, const std::function<void()>& label, DeviceClusterSums* d_sums,
                            cudaStream_t stream) {
  const SystemLaunch crossings(b.crossings());
  check_cuda(cudaMemsetAsync(d_sums, 0, static_cast<std::size_t>(b.systems()) * sizeof *d_sums, stream),
             "clearing sums");
  crossings("cutting the lattice open", cut_kernel, b.systems(), stream, b, ends_.data());
  label();
  for (unsigned first = 0; first < static_cast<unsigned>(b.systems()); first += group_) {
    const int count = std::min(static_cast<int>(group_), b.systems() - static_cast<int>(first));
    OpenEnds* const d_ends = ends_.data() + std::size_t{first} * b.crossings();
    const Part part{first,          phase_.data(),
                    before_.data(), single_.data(),
                    d_ends,         b.d_labels + b.first_site(first),
                    round_.data(),  position_.data(),
                    terms_.data(),  last_change_.data(),
                    records_.data()};
    check_cuda(cudaMemsetAsync(records_.data(), 0, static_cast<std::size_t>(count) * sizeof(unsigned), stream),
               "clearing memory");
    crossings("finding open clusters", end_kernel, count, stream, b, part, d_ends);
    crossings("joining open clusters", join_kernel, count, stream, b, part);
    crossings("placing open clusters", origin_kernel, count, stream, b, part);
    place_open_clusters(b, part, d_ends, count, stream);
    if (b.has_cubes()) {
      launch_cluster_terms(b, part, count, d_sums, stream);
    } else {
      launch_lattice_terms(b, part, count, stream);
    }
    launch_cluster_sums(b, part, count, d_sums, stream);
  }
}

void Decomposition::place_open_clusters(const ClusterBatch& b, const Part& part, OpenEnds* d_ends, int systems,
                                        cudaStream_t stream) {
  const SystemLaunch crossings(b.crossings());
  check_cuda(cudaMemsetAsync(part.d_last_change, 0, sizeof(unsigned), stream), "clearing memory");
  constexpr int rounds_at_once = 8;
  for (int round = 1;; round += rounds_at_once) {
    for (int k = 0; k < rounds_at_once; ++k) {
      crossings("placing open clusters", position_kernel, systems, stream, b, part, d_ends, round + k,
                record_words(b.model, b.common.lattice.dim));
    }
    unsigned* last_change = last_change_here_.data();
    check_cuda(cudaMemcpyAsync(last_change, part.d_last_change, sizeof(unsigned), cudaMemcpyDeviceToHost, stream),
               "measuring clusters");
    check_cuda(cudaStreamSynchronize(stream), "measuring clusters");
    if (static_cast<int>(*last_change) < round + rounds_at_once - 1) break;
  }
}

}}  // namespace glassworks::cuda

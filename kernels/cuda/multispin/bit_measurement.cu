#include <algorithm>
#include <type_traits>

#include "kernels/core/modes.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/multispin/bit_measurement.hpp"
#include "kernels/cuda/multispin/bit_planes.cuh"
#include "kernels/cuda/multispin/graph/word_sums.hpp"
#include "kernels/cuda/multispin/quad_sweep.cuh"
#include "kernels/cuda/phase_upload.hpp"
#include "kernels/rounds/line_square.hpp"
#include "kernels/rounds/measurement_formulas.hpp"

namespace glassworks { inline namespace cuda {
namespace {

using multispin::Sums;

/// The sites of a plane of equal coordinate, numbered from 0: an index in [colour][place].
class Plane {
 public:
  __device__ Plane(const HalfLattice& lattice, int axis, int coordinate)
      : g_(lattice), coordinate_(coordinate), last_(axis == lattice.dim - 1), run_(lattice.plane) {
    by_run_ = axis == 0 ? g_.by_plane : axis == 1 ? g_.by_half_edge : g_.by_square;
    if (axis > 0) run_ = axis == 1 ? g_.half_edge : g_.half_edge * g_.L;
  }
  /// Sites: N / L.
  [[nodiscard]] __device__ int size() const { return 2 * g_.plane; }
  [[nodiscard]] __device__ int operator[](int n) const {
    if (!last_) return n + (by_run_.of(n) * (g_.L - 1) + coordinate_) * run_;  // runs, L of them from one to the next
    // n = x M + m: the colour follows from the sum of all coordinates, by their last bits.
    const int row = g_.by_edge.of(n), colour = (n + row + (g_.dim == 4 ? g_.by_edge.of(row) : 0) + coordinate_) & 1;
    return colour * g_.places + n * g_.half_edge + coordinate_ / 2;
  }

 private:
  const HalfLattice& g_;
  int coordinate_;
  bool last_;
  int run_;  ///< places that follow each other
  Divisor by_run_;
};

/// A warp for each plane of each field of each unit. bits: of the sites of a thread
template <int words, int bits>
__global__ void __launch_bounds__(128)
    plane_kernel(const __grid_constant__ MultispinBatch b, MeasuredBits sums, int fields, int planes) {
  using Site = multispin::Words<words>;
  begin_overlapped();
  const HalfLattice& g = b.lattice;
  const auto i = static_cast<int>(blockIdx.x * 4 + threadIdx.x / 32), thread = static_cast<int>(threadIdx.x & 31U);
  if (i >= planes) return;
  const int of_unit = fields * g.dim * g.L, unit = i / of_unit, row = i - unit * of_unit;
  const int pack = unit / b.common.slots, slot = unit - pack * b.common.slots, rows = row / g.L, number = rows / g.dim;
  const Field field(number, b.common.copies);
  const auto* const first = reinterpret_cast<const Site*>(b.spins_of(pack, field.a * b.common.slots + slot));
  const auto* const second = reinterpret_cast<const Site*>(b.spins_of(pack, field.b * b.common.slots + slot));
  const bool product = field.a != field.b;
  const Plane plane(g, rows - number * g.dim, row - rows * g.L);
  const int size = plane.size();
  typename Sums::Number<bits> count[words];
#pragma unroll 1
  for (int n = thread; n < size; n += 4 * 32) {
    Site site[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      site[k] = {};
      if (n + 32 * k >= size) continue;
      const int at = plane[n + 32 * k];
      site[k] = first[at];
      if (!product) continue;
      const Site other = second[at];
#pragma unroll
      for (int w = 0; w < words; ++w) site[k].word[w] ^= other.word[w];
    }
#pragma unroll
    for (int w = 0; w < words; ++w) {
      const std::uint32_t word[4] = {site[0].word[w], site[1].word[w], site[2].word[w], site[3].word[w]};
      count[w].add(Sums::count(word));
    }
  }
  std::uint16_t* const sums_of_plane = sums.d_planes + std::int64_t{i} * b.lanes();
  multispin::sum_lanes<words>(count, [&](int lane, int sum) { sums_of_plane[lane] = static_cast<std::uint16_t>(sum); });
}

/// Products of two replicas, for BondCounter.
template <class Site>
struct ProductSites {
  const Site *a, *b;
  int places;
  __device__ __forceinline__ Site operator()(int colour, int place) const {
    Site s = a[colour * places + place];
    const Site t = b[colour * places + place];
#pragma unroll
    for (std::size_t w = 0; w < sizeof(Site) / 4; ++w) s.word[w] ^= t.word[w];
    return s;
  }
};

/// Grid: (pairs of copies of the units, chunks of quads); a warp each.
template <int dim, int words, class Ends>
__global__ void __launch_bounds__(32)
    link_kernel(const __grid_constant__ MultispinBatch b, MeasuredBits sums, int pairs, int quads_of_thread) {
  using Site = multispin::Words<words>;
  constexpr int bits = 10;
  begin_overlapped();
  const HalfLattice& g = b.lattice;
  const auto row = static_cast<int>(blockIdx.x), unit = row / pairs, pack = unit / b.common.slots;
  const int slot = unit - pack * b.common.slots;
  const Field field(b.common.copies + row - unit * pairs, b.common.copies);
  const ProductSites<Site> load{reinterpret_cast<const Site*>(b.spins_of(pack, field.a * b.common.slots + slot)),
                                reinterpret_cast<const Site*>(b.spins_of(pack, field.b * b.common.slots + slot)),
                                g.places};
  multispin::BondCounter<dim, words, bits> counter;
  const int first = static_cast<int>(blockIdx.y) * 32 * quads_of_thread,
            end = min(first + 32 * quads_of_thread, g.quads);
#pragma unroll 1
  for (int q = first + static_cast<int>(threadIdx.x); q < end; q += 32) {
    Ends ends;
    if constexpr (std::is_same_v<Ends, QuadEnds>) ends = QuadEnds::of<dim>(g, q, b.common.lattice.open);
    constexpr const Site* none = nullptr;
    counter.add(g, quad_of<dim>(g, q), ends, load, none, none);
  }
  counter.add_to(sums.d_links + std::int64_t{row} * b.lanes());
}

constexpr int most_copies = 4, most_fields = 4 + 6, most_form_rows = 16;

/// The sums of a unit in one lane.
struct BinsOfLane {
  double* bins;  ///< [observable], `lanes` apart
  int lanes;
  float* samples;  ///< null: this measurement is not kept

  /// Adds n observables that follow each other: values that are sums over `count` copies or pairs.
  template <int n>
  __device__ void add(int first, const double (&value)[n], double count) const {
    double before[n];
#pragma unroll
    for (int i = 0; i < n; ++i) before[i] = at(first + i);
#pragma unroll
    for (int i = 0; i < n; ++i) {
      set(first + i, before[i], value[i] / count);
    }
  }
  [[nodiscard]] __device__ double at(int i) const { return bins[i * lanes]; }
  /// Adds a value to one that was read before.
  __device__ void set(int i, double before, double mean) const {
    bins[i * lanes] = before + mean;
    if (samples != nullptr) samples[i] = static_cast<float>(mean);
  }
};

/// Observables and walk of a unit. Grid: (units, words); block: the lanes of a word x rows, which share the axes of the
/// fields: as many as fields, or as fields times axes. What is read and written comes together: reading waits for what
/// was written before.
template <class Planes>
__global__ void __launch_bounds__(32 * most_form_rows)
    form_kernel(const __grid_constant__ MultispinBatch b, MeasuredBits sums, const __grid_constant__ IsingFormulas f,
                int fields, int pairs, int sample) {
  using Q = BinQuantity;
  __shared__ FieldSums shared[most_fields];
  begin_overlapped();
  const DeviceBatch& common = b.common;
  const auto unit = static_cast<int>(blockIdx.x), pack = unit / common.slots, slot = unit - pack * common.slots;
  const auto thread = static_cast<int>(threadIdx.x), row = thread / 32, rows = static_cast<int>(blockDim.x) / 32;
  const int in_word = thread & 31, lane = 32 * static_cast<int>(blockIdx.y) + in_word;
  const int in_batch = pack * b.lanes() + lane, task = b.d_task[in_batch];
  const int field = row % fields, first_axis = row / fields;
  const Planes planes(b, sums, std::int64_t{unit} * fields + field, lane);
  if (first_axis == 0) shared[field].total[in_word] = planes.total();
  for (int axis = first_axis; axis < planes.dim; axis += rows / fields) {
    if (!planes.has(axis)) continue;
    shared[field].square[axis][in_word] = line_square(planes.L, 1.0 / f.sites, f.d_phase, f.d_phase + planes.L,
                                                      [&](int x) { return static_cast<double>(planes.at(axis, x)); });
  }
  __syncthreads();
  if (task < 0) return;
  const BinsOfLane bins{
      sums.d_bins + std::int64_t{unit} * common.observables * b.lanes() + lane, b.lanes(),
      sample < 0 ? nullptr
                 : common.d_samples +
                       ((std::int64_t{task} * common.slots + slot) * common.samples + sample) * common.observables};
  // Four parts, which have their rows of threads where there are so many.
  const double copies = common.copies;
  const auto is_mine = [&](int part) { return part % rows == row; };
  const auto at = [&](int copy) { return b.lane_of(pack, copy * common.slots + slot, lane); };
  if (is_mine(0)) {
    const LaneEnergy energy(b, in_batch);
    const double unit_of_energy = common.energy_scale(task).unit();
    double of_copy[most_copies], before[most_copies], e_sum = 0.0, e2 = 0.0;
#pragma unroll
    for (int copy = 0; copy < most_copies; ++copy) {
      if (copy >= common.copies) continue;
      before[copy] = bins.at(f.layout.at(Q::energy_of_copy, copy));
      of_copy[copy] = static_cast<double>(energy.of(b, at(copy))) * unit_of_energy / f.sites;
    }
#pragma unroll
    for (int copy = 0; copy < most_copies; ++copy) {
      if (copy >= common.copies) continue;
      const double e = of_copy[copy];
      e_sum += e;
      e2 += e * e;
      bins.set(f.layout.at(Q::energy_of_copy, copy), before[copy], e * copies / copies);
    }
    bins.add<2>(f.layout[Q::energy], {e_sum, e2}, copies);
  }
  if (is_mine(1)) {
    double m_abs = 0.0, m_2 = 0.0, m_4 = 0.0, m_kmin = 0.0;
    for (int copy = 0; copy < common.copies; ++copy) {
      const FieldSums& of_copy = shared[copy];
      const double m = static_cast<double>(of_copy.total[in_word]) / f.sites, square = m * m;
      m_abs += sqrt(square);
      m_2 += square;
      m_4 += square * square;
      m_kmin += of_copy.mode(planes, in_word);
    }
    bins.add<6>(f.layout[Q::magnetization_abs], {m_abs, m_2, m_4, m_kmin, copies, copies}, copies);  // |phi| is 1
    if (bins.samples != nullptr) {
      // Of clusters: there are none.
      for (int i = f.layout[Q::improved_m2]; i <= f.layout[Q::moved_sites]; ++i) bins.samples[i] = 0.0F;
    }
  }
  if (is_mine(2) && pairs > 0) {
    double q_sum = 0.0, q_2 = 0.0, q_4 = 0.0, q_kmin = 0.0, link = 0.0;
    for (int pair = 0; pair < pairs; ++pair) {
      const FieldSums& of_pair = shared[common.copies + pair];
      const double q = static_cast<double>(of_pair.total[in_word]) / f.sites, square = q * q;
      q_sum += q;
      q_2 += square;
      q_4 += square * square;
      q_kmin += of_pair.mode(planes, in_word);
      int& negative = sums.d_links[(std::int64_t{unit} * pairs + pair) * b.lanes() + lane];
      link += (f.bonds - 2.0 * negative) / f.bonds;
      negative = 0;
    }
    bins.add<5>(f.layout[Q::overlap], {q_sum, q_2, q_4, q_kmin, link}, pairs);
  }
  if (is_mine(3)) {
    double* sums_of_walk[most_copies];
    double walk[most_copies][walk_functions];
    std::uint32_t up = 0, down = 0;
#pragma unroll
    for (int copy = 0; copy < most_copies; ++copy) {
      if (copy >= common.copies) continue;
      const Walker walker = Walker::of(b.d_walker[at(copy)]);
      up += walker.heading > 0 ? 1U : 0U;
      down += walker.heading < 0 ? 1U : 0U;
      const std::int64_t replica = std::int64_t{task} * common.replicas() + copy * common.slots + walker.replica;
      sums_of_walk[copy] = common.d_walk_mean + replica * walk_functions;
#pragma unroll
      for (int i = 0; i < walk_functions; ++i) walk[copy][i] = sums_of_walk[copy][i];
    }
    std::uint32_t* const heading = sums.d_heading + std::int64_t{unit} * 2 * b.lanes() + lane;
    up += heading[0];
    down += heading[b.lanes()];
#pragma unroll
    for (int copy = 0; copy < most_copies; ++copy) {
      if (copy >= common.copies) continue;
      add_walk_functions(slot, common.slots, f.d_walk_phase, walk[copy]);
#pragma unroll
      for (int i = 0; i < walk_functions; ++i) sums_of_walk[copy][i] = walk[copy][i];
    }
    heading[0] = up;
    heading[b.lanes()] = down;
  }
}

/// Grid: units; block: lanes.
__global__ void end_kernel(const __grid_constant__ MultispinBatch b, MeasuredBits sums) {
  const DeviceBatch& common = b.common;
  const auto unit = static_cast<int>(blockIdx.x), pack = unit / common.slots, lane = static_cast<int>(threadIdx.x);
  const int task = b.d_task[pack * b.lanes() + lane];
  if (task < 0) return;
  const std::int64_t to = std::int64_t{task} * common.slots + unit - pack * common.slots;
  const double* const bins = sums.d_bins + std::int64_t{unit} * common.observables * b.lanes() + lane;
  for (int i = 0; i < common.observables; ++i) common.d_mean[to * common.observables + i] = bins[i * b.lanes()];
  const std::uint32_t* const heading = sums.d_heading + std::int64_t{unit} * 2 * b.lanes() + lane;
  common.d_walk_up[to] = heading[0];
  common.d_walk_down[to] = heading[b.lanes()];
}

using LinkKernel = void (*)(MultispinBatch, MeasuredBits, int, int);

template <class Ends, int words>
LinkKernel link_kernel_of(int dim) {
  return dim == 2 ? link_kernel<2, words, Ends> : dim == 3 ? link_kernel<3, words, Ends> : link_kernel<4, words, Ends>;
}
template <class Ends>
LinkKernel link_kernel_for(const MultispinBatch& b) {
  return b.words == 4   ? link_kernel_of<Ends, 4>(b.lattice.dim)
         : b.words == 2 ? link_kernel_of<Ends, 2>(b.lattice.dim)
                        : link_kernel_of<Ends, 1>(b.lattice.dim);
}

using PlaneKernel = void (*)(MultispinBatch, MeasuredBits, int, int);

/// By the sites of a thread.
template <int words>
PlaneKernel plane_kernel_of(int sites) {
  if (sites <= 3) return plane_kernel<words, 2>;
  if (sites <= 7) return plane_kernel<words, 3>;
  if (sites <= 15) return plane_kernel<words, 4>;
  if (sites <= 63) return plane_kernel<words, 6>;
  return plane_kernel<words, 12>;
}
PlaneKernel plane_kernel_for(const MultispinBatch& b) {
  const int sites = (2 * b.lattice.plane + 31) / 32;
  return b.words == 4   ? plane_kernel_of<4>(sites)
         : b.words == 2 ? plane_kernel_of<2>(sites)
                        : plane_kernel_of<1>(sites);
}

/// Sums over planes of a lane.
std::size_t plane_sums(const Chain& chain) {
  const int fields = chain.copies + chain.copies * (chain.copies - 1) / 2;
  return static_cast<std::size_t>(chain.slots() * fields) * static_cast<std::size_t>(chain.lattice.planes());
}

}  // namespace

BitMeasurement::BitMeasurement(const Chain& chain, const MultispinBatch& batch)
    : formulas_{BinLayout(chain), static_cast<double>(chain.lattice.sites()),
                static_cast<double>(chain.lattice.bonds()), nullptr, nullptr},
      fields_(chain.copies + chain.copies * (chain.copies - 1) / 2),
      pairs_(fields_ - chain.copies) {
  upload_phases(phase_, PhaseTable(chain.lattice.longest()).joined());
  upload_phases(walk_phase_, PhaseTable(2 * chain.slots()).cosine);
  formulas_.d_phase = phase_.data();
  formulas_.d_walk_phase = walk_phase_.data();
  const auto lanes = static_cast<std::size_t>(batch.packs * batch.lanes());
  const std::size_t units = lanes * static_cast<std::size_t>(chain.slots());
  bins_ = units * static_cast<std::size_t>(batch.common.observables);
  headings_ = 2 * units;
  const std::size_t links = std::max<std::size_t>(units * static_cast<std::size_t>(pairs_), 1);
  const bool graph = chain.lattice.is_graph();
  const std::size_t planes = lanes * plane_sums(chain);
  sums_ = {graph ? nullptr : planes_.reserve(planes), graph ? graph_planes_.reserve(planes) : nullptr,
           links_.reserve(links), bin_.reserve(bins_), heading_.reserve(headings_)};
}

void BitMeasurement::begin_round(cudaStream_t stream) {
  const auto clear = [stream](void* d, std::size_t bytes) {
    check_cuda(cudaMemsetAsync(d, 0, bytes, stream), "clearing sums");
  };
  clear(sums_.d_links, headings_ / 2 * static_cast<std::size_t>(pairs_) * sizeof(int));
  clear(sums_.d_bins, bins_ * sizeof(double));
  clear(sums_.d_heading, headings_ * sizeof(std::uint32_t));
}

void BitMeasurement::launch_planes(const MultispinBatch& b, cudaStream_t stream) {
  const auto planes = static_cast<unsigned>(b.packs * b.common.slots * fields_ * b.lattice.dim * b.lattice.L);
  launch_overlapped("measuring", plane_kernel_for(b), dim3((planes + 3) / 4), 128, 0, stream, b, sums_, fields_,
                    static_cast<int>(planes));
}

void BitMeasurement::launch_links(const MultispinBatch& b, cudaStream_t stream) {
  const auto units = static_cast<unsigned>(b.packs * b.common.slots);
  const int quads_of_thread = std::clamp(b.lattice.quads / 128, 1, 16);  // at most 31: 8 d bonds to a quad
  const auto chunks = static_cast<unsigned>((b.lattice.quads + 32 * quads_of_thread - 1) / (32 * quads_of_thread));
  const LinkKernel kernel = b.common.lattice.open != 0 ? link_kernel_for<QuadEnds>(b) : link_kernel_for<NoEnds>(b);
  launch_overlapped("measuring", kernel, dim3(units * static_cast<unsigned>(pairs_), chunks), 32, 0, stream, b, sums_,
                    pairs_, quads_of_thread);
}

void BitMeasurement::launch(const MultispinBatch& b, int sample, cudaStream_t stream) {
  const bool graph = b.common.lattice.is_graph();
  if (graph) {
    launch_graph_sums(b, sums_, fields_, pairs_, stream);
  } else {
    launch_planes(b, stream);
    if (pairs_ > 0) launch_links(b, stream);
  }
  const auto units = static_cast<unsigned>(b.packs * b.common.slots), words = static_cast<unsigned>(b.words);
  const int axes = graph ? b.common.lattice.dim : b.lattice.dim;
  const int rows = fields_ * axes <= most_form_rows ? fields_ * axes : fields_;
  launch_overlapped("forming observables", graph ? form_kernel<GraphPlanes> : form_kernel<CubePlanes>,
                    dim3(units, words), 32 * static_cast<unsigned>(rows), 0, stream, b, sums_, formulas_, fields_,
                    pairs_, sample);
}

void BitMeasurement::end_round(const MultispinBatch& b, cudaStream_t stream) {
  launch_kernel("ending a round", end_kernel, dim3(static_cast<unsigned>(b.packs * b.common.slots)),
                static_cast<unsigned>(b.lanes()), 0, stream, b, sums_);
}

double BitMeasurement::bytes_per_pack(const Chain& chain, int words) {
  const double of_plane = chain.lattice.is_graph() ? 4.0 : 2.0;
  return 32.0 * words * (of_plane * static_cast<double>(plane_sums(chain)) + chain.slots() * (4.0 * 6 + 8.0 * 32));
}

}}  // namespace glassworks::cuda

#include "kernels/core/modes.hpp"
#include "kernels/cuda/cluster/launch.cuh"
#include "kernels/cuda/cluster/round/cluster_form.hpp"
#include "kernels/cuda/measure_form.hpp"
#include "kernels/cuda/phase_upload.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr unsigned form_threads = 128;

/// What the threads of a block share of a unit: the sums of its copies, then of its pairs, then of their chiralities.
struct FormShape {
  int copies, pairs, axes, site_columns, pair_columns, chiral_columns, modes, observables;

  explicit FormShape(const ClusterFormulas& f, const ResultLayout& layout)
      : copies(f.layout().copies()),
        pairs(f.pairs()),
        axes(f.lattice().dim),
        site_columns(static_cast<int>(layout.site_planes) / f.lattice().planes()),
        pair_columns(static_cast<int>(layout.pair_planes) / f.lattice().planes()),
        chiral_columns(static_cast<int>(layout.chiral_planes) / f.lattice().planes()),
        modes(f.field_modes()),
        observables(f.layout().size()) {}

  /// Columns of all copies, pairs and chiralities; where those of a pair begin.
  [[nodiscard]] GLASSWORKS_HD int columns() const { return first_chiral(pairs); }
  [[nodiscard]] GLASSWORKS_HD int first_pair(int pair) const { return copies * site_columns + pair * pair_columns; }
  [[nodiscard]] GLASSWORKS_HD int first_chiral(int pair) const { return first_pair(pairs) + pair * chiral_columns; }
  /// Rows of values: of the copies, of the pairs, of the terms in a field.
  [[nodiscard]] GLASSWORKS_HD int rows() const { return copies + pairs + 1; }
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(double) * static_cast<std::size_t>(columns() * (1 + axes) + 2 * pairs * modes + rows() * observables);
  }
};

/// The sums of a copy or pair, once they are transformed.
struct SharedPlanes {
  const long long* totals;  ///< [column]
  const double* squares;    ///< [axis][column of all]
  int stride;               ///< columns of all

  [[nodiscard]] __device__ long long total(int column) const { return totals[column]; }
  [[nodiscard]] __device__ double square(int axis, int column) const { return squares[axis * stride + column]; }
};

__device__ ClusterSums cluster_sums(const DeviceClusterSums& from, const ClusterBatch& b, int task,
                                    std::size_t system) {
  ClusterSums sums;
  sums.clusters = from.clusters;
  sums.largest = from.largest;
  sums.squares = from.squares;
  sums.wrapping_any = from.wraps_any != 0;
  sums.wrapping_all = from.wraps_all != 0;
  sums.weight = from.weight;
  for (int axis = 0; axis < Lattice::max_dim; ++axis) sums.kmin[static_cast<std::size_t>(axis)] = from.kmin[axis];
  sums.moved = b.d_moved[system];
  sums.accepted = b.d_accepted != nullptr ? b.d_accepted[system] : 0;
  sums.proposed = b.common.d_proposed[task];
  sums.reserve = b.d_reserve != nullptr ? b.d_reserve[system] : 0;
  return sums;
}

/// Grid: units. Deterministic: integers are transformed, and every value is added up in one order. Cost: 8 bytes of
/// device memory for each plane and column.
__global__ void __launch_bounds__(form_threads)
    form_kernel(const __grid_constant__ ClusterBatch b, const __grid_constant__ ClusterFormulas f,
                const __grid_constant__ ResultLayout layout, const __grid_constant__ FormShape shape,
                const double* phase, const double* walk_phase, const long long* results, const int* last_replica_at,
                int sample) {
  extern __shared__ __align__(8) double form_memory[];
  const int columns = shape.columns();
  auto* const totals = reinterpret_cast<long long*>(form_memory);
  double* const squares = form_memory + columns;
  auto* const traces = reinterpret_cast<Complex*>(squares + shape.axes * columns);
  double* const values = reinterpret_cast<double*>(traces + shape.pairs * shape.modes);
  const DeviceBatch& common = b.common;
  const auto unit = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x),
             threads = static_cast<int>(form_threads);
  const int task = unit / common.slots, slot = unit % common.slots;
  const std::size_t first_pair = static_cast<std::size_t>(unit) * layout.pairs;
  const Lattice& lattice = f.lattice();
  const auto phases_of = [&](int axis) { return phase + 2 * lattice.plane(axis, 0); };

  for (int i = thread; i < shape.rows() * shape.observables; i += threads) values[i] = 0.0;
  for (int i = thread; i < shape.axes * columns; i += threads) {
    const int axis = i / columns, column = i - axis * columns;
    const long long* planes = nullptr;
    int stride = 0, own = 0;
    double scale = f.pair_scale();
    if (column < shape.first_pair(0)) {
      stride = shape.site_columns;
      own = column % stride;
      planes = layout.planes_of_system(results, b.system_in(unit, column / stride));
      scale = f.site_scale();
    } else if (column < shape.first_chiral(0)) {
      stride = shape.pair_columns;
      own = (column - shape.first_pair(0)) % stride;
      planes = layout.planes_of_pair(results,
                                     first_pair + static_cast<std::size_t>((column - shape.first_pair(0)) / stride));
    } else {
      stride = shape.chiral_columns;
      own = (column - shape.first_chiral(0)) % stride;
      planes = layout.chiralities_of_pair(
          results, first_pair + static_cast<std::size_t>((column - shape.first_chiral(0)) / stride));
    }
    planes += static_cast<std::ptrdiff_t>(lattice.plane(axis, 0)) * stride + own;
    const int L = lattice.length(axis);
    squares[i] = line_square(L, scale, phases_of(axis), phases_of(axis) + L, [&](int x) {
      return static_cast<double>(planes[static_cast<std::ptrdiff_t>(x) * stride]);
    });
    if (axis > 0) continue;
    long long total = 0;
    for (int x = 0; x < L; ++x) total += planes[static_cast<std::ptrdiff_t>(x) * stride];
    totals[column] = total;
  }
  for (int i = thread; i < shape.pairs * shape.modes; i += threads) {
    const int pair = i / shape.modes, mode = i - pair * shape.modes, axis = f.field_mode(mode).axis;
    const long long* const planes = layout.planes_of_pair(results, first_pair + static_cast<std::size_t>(pair)) +
                                    static_cast<std::ptrdiff_t>(lattice.plane(axis, 0)) * shape.pair_columns;
    traces[i] = f.trace(mode, phases_of(axis), phases_of(axis) + lattice.length(axis),
                        [&](int x, int column) { return planes[x * shape.pair_columns + column]; });
  }
  __syncthreads();

  // A warp for the copies, one for the pairs, one for the terms in a field, one for the walk.
  const int warp = thread / 32, lane = thread % 32;
  if (warp == 0 && lane < shape.copies) {
    const std::size_t system = b.system_in(unit, lane);
    const int first = task * common.replicas();
    const auto last = static_cast<std::size_t>(first + last_replica_at[first + lane * common.slots + slot]);
    double* const value = values + lane * shape.observables;
    const long long* const modulus = results + layout.modulus + 2 * system;
    f.add_sites({common.d_energy[system], common.energy_scale(task).unit(), modulus[0], modulus[1],
                 reinterpret_cast<const std::int64_t*>(results + layout.local + system * layout.local_sums)},
                SharedPlanes{totals + lane * shape.site_columns, squares + lane * shape.site_columns, columns}, lane,
                value);
    if (b.d_triangles != nullptr)
      f.add_triangle_squares(results[layout.triangles + system], b.d_triangles[task].count, value);
    f.add_clusters(cluster_sums(layout.cluster_sums(results)[last], b, task, last), common.energy_scale(task).unit(),
                   value);
  }
  if (warp == 1 && lane < shape.pairs) {
    double* const value = values + (shape.copies + lane) * shape.observables;
    const int at = shape.first_pair(lane), chiral = shape.first_chiral(lane);
    f.add_overlap(results[layout.link + first_pair + static_cast<std::size_t>(lane)],
                  SharedPlanes{totals + at, squares + at, columns}, value);
    const SharedPlanes chiral_sums{totals + chiral, squares + chiral, columns};
    if (b.d_triangles != nullptr) {
      f.add_triangles(chiral_sums, value);
    } else if (shape.chiral_columns > 0) {
      f.add_chirality(chiral_sums, value);
    }
  }
  if (warp == 2 && lane == 0) f.add_field_terms(traces, values + (shape.rows() - 1) * shape.observables);
  const measure::Unit walked(common, unit);
  if (warp == 3 && lane < shape.copies) measure::add_walk(walk_phase, common, walked, lane);
  if (warp == 3 && lane == 31) measure::count_headings(common, walked);
  __syncthreads();

  double* const bin = walked.bin(common);
  for (int i = thread; i < shape.observables; i += threads) {
    double sum = 0.0;
    for (int row = 0; row < shape.rows(); ++row) sum += values[row * shape.observables + i];
    const double mean = f.mean(i, sum);
    bin[i] += mean;
    if (sample >= 0) {
      common.d_samples[(static_cast<std::ptrdiff_t>(unit) * common.samples + sample) * shape.observables + i] =
          static_cast<float>(mean);
    }
  }
}

}  // namespace

ClusterForm::ClusterForm(const Chain& chain, const ClusterBatch& batch)
    : formulas_(chain, batch.scales), layout_(batch) {
  std::vector<double> phases;
  for (int axis = 0; axis < chain.lattice.dim; ++axis) {
    const std::vector<double> of_axis = PhaseTable(chain.lattice.length(axis)).joined();
    phases.insert(phases.end(), of_axis.begin(), of_axis.end());
  }
  upload_phases(phase_, phases);
  upload_phases(walk_phase_, PhaseTable(2 * chain.slots()).cosine);
}

void ClusterForm::launch(const ClusterBatch& b, const long long* d_results, const int* d_last_replica_at, int sample,
                         cudaStream_t stream) const {
  const FormShape shape(formulas_, layout_);
  launch_kernel("forming observables", form_kernel, dim3(static_cast<unsigned>(b.units())), form_threads, shape.bytes(),
                stream, b, formulas_, layout_, shape, phase_.data(), walk_phase_.data(), d_results, d_last_replica_at,
                sample);
}

}}  // namespace glassworks::cuda

#include "kernels/cuda/multispin/copies/device_copy_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/addresses.hpp"
#include "kernels/core/fixed_point.hpp"
#include "kernels/rounds/course.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr auto lanes_of_group = static_cast<std::size_t>(CopyAddress::group);
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

void add_copy(CopyMask& mask, int copy) { mask.words()[copy / 32] |= 1U << (copy % 32); }

CopyMask all_copies(int copies) {
  CopyMask mask;
  for (int copy = 0; copy < copies; ++copy) add_copy(mask, copy);
  return mask;
}

CopyDirections directions_of(const std::vector<Displacement>& steps) {
  CopyDirections directions;
  for (const Displacement& step : steps) {
    auto& to = directions.step[static_cast<std::size_t>(directions.count++)];
    for (std::size_t axis = 0; axis < to.size(); ++axis) to[axis] = static_cast<signed char>(step[axis]);
  }
  return directions;
}

}  // namespace

/// One slot of a task.
struct DeviceCopySeries::Work {
  const CopyJob& job;
  const Lattice& lattice;
  CopySlot slot;
  const std::vector<Ring>& rings;
  std::size_t pairs;
  std::int32_t bond;  ///< |J| [energy scale]
  cudaStream_t stream;

  [[nodiscard]] std::size_t sites() const { return static_cast<std::size_t>(lattice.sites()); }
  [[nodiscard]] std::size_t lanes() const { return lanes_of_group * static_cast<std::size_t>(job.groups); }
  [[nodiscard]] std::size_t copies() const { return static_cast<std::size_t>(job.common.copies); }
  [[nodiscard]] std::size_t planes() const { return static_cast<std::size_t>(lattice.dim * lattice.L); }
  [[nodiscard]] std::size_t lags() const { return static_cast<std::size_t>(lattice.L / 2); }
};

/// The pairs of copies at one distance on a ring of all copies are one field.
std::vector<DeviceCopySeries::Ring> DeviceCopySeries::rings_of(std::span<const SeriesPair> pairs, int copies) {
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int ahead = pairs[i].b - pairs[i].a;
    const bool around = 2 * ahead > copies;
    const int distance = around ? copies - ahead : ahead, first = around ? pairs[i].b : pairs[i].a;
    auto ring = std::ranges::find(rings, distance, &Ring::distance);
    if (ring == rings.end()) {
      ring = rings.insert(ring, {distance, {}, std::vector<std::size_t>(static_cast<std::size_t>(copies), none)});
    }
    add_copy(ring->mask, first);
    ring->pair[static_cast<std::size_t>(first)] = i;
  }
  return rings;
}

bool DeviceCopySeries::measure(const CopyJob& job, const Chain& chain, const Disorder& disorder, float modulus,
                               std::size_t task, const SeriesLayout& layout, std::span<const KeptSpins> kept,
                               std::span<double> rows, cudaStream_t stream) {
  const std::vector<SeriesPair> pairs =
      chain.copies > 1 ? series_pairs(chain.copies, layout.shape().pairs) : std::vector<SeriesPair>();
  const std::vector<Ring> rings = rings_of(pairs, chain.copies);
  const Work work{job,   chain.lattice, {static_cast<int>(task), 0, all_copies(chain.copies)},
                  rings, pairs.size(),  to_fixed_clamped(modulus, disorder.energy_scale.multiplier()),
                  stream};
  if (!reserve(work, !kept.empty())) return false;
  const auto slots = static_cast<std::size_t>(chain.slots());
  std::vector<DiscreteSums> sums(slots, DiscreteSums(chain.lattice));
  std::vector<std::vector<std::int64_t>> energies(slots);
  Work of_slot = work;
  for (std::size_t k = 0; k < slots; ++k) {
    of_slot.slot.slot = static_cast<int>(k);
    measure_slot(of_slot, sums[k], energies[k]);
  }
  for (const KeptSpins& then : kept) {
    auto* const d_kept = kept_.reserve(then.bits.size());
    staged_.to_device(d_kept, then.bits.data(), then.bits.size() * sizeof(std::uint64_t), stream);
    for (std::size_t k = 0; k < slots; ++k) {
      of_slot.slot.slot = static_cast<int>(k);
      measure_reference(of_slot, sums[k].references.emplace_back(chain.lattice));
    }
  }
  std::ranges::fill(rows, 0.0);
  for (std::size_t k = 0; k < slots; ++k) {
    double* const row = rows.data() + k * static_cast<std::size_t>(layout.size());
    put_energies(layout, disorder.energy_scale, energies[k], row);
    put_discrete(layout, sums[k], row);
  }
  return true;
}

double DeviceCopySeries::bytes(const Chain& chain) {
  if (chain.course == nullptr) return 0.0;
  const auto sites = static_cast<double>(chain.lattice.sites());
  const double lanes =
      static_cast<double>(lanes_of_group) * std::ceil(chain.copies / static_cast<double>(lanes_of_group));
  const double fields = 2.0 * sites * lanes / 8.0, counts = 4.0 * lanes * chain.lattice.planes();
  const double kept = chain.course->references.empty() ? 0.0 : chain.replicas() * sites / 8.0 + 8.0;
  return fields + kept + counts + 8.0 * std::max(CopyDirections::most * chain.lattice.L / 2.0, lanes);
}

bool DeviceCopySeries::reserve(const Work& work, bool with_kept) {
  const std::size_t field = work.sites() * static_cast<std::size_t>(work.job.groups);
  const std::size_t kept =
      with_kept ? (work.copies() * static_cast<std::size_t>(work.job.common.slots) * work.sites() + 63) / 64 : 0;
  const std::size_t counts = work.lanes() * work.planes();
  const std::size_t sums = std::max(CopyDirections::most * work.lags(), work.lanes());
  const std::size_t bytes = 2 * field * sizeof(uint4) + 8 * (kept + sums) + 4 * counts;
  if (bytes > reserved_) {
    std::size_t free = 0, all = 0;
    check_cuda(cudaMemGetInfo(&free, &all), "asking for free memory");
    if (bytes > free) return false;
    reserved_ = bytes;
  }
  (void)spins_.reserve(field);
  (void)field_.reserve(field);
  (void)kept_.reserve(kept);
  (void)planes_.reserve(counts);
  (void)sums_.reserve(sums);
  return true;
}

void DeviceCopySeries::measure_slot(const Work& work, DiscreteSums& sums, std::vector<std::int64_t>& energies) {
  launch_spins_of_slot(work.job, work.slot, spins_.data(), work.stream);
  const std::size_t lanes = work.lanes();
  check_cuda(cudaMemsetAsync(sums_.data(), 0, lanes * sizeof(unsigned long long), work.stream), "clearing memory");
  launch_broken_bonds(work.job, work.slot, spins_.data(), sums_.data(), work.stream);
  std::vector<unsigned long long> broken(lanes);
  staged_.to_host(broken.data(), sums_.data(), lanes * sizeof(unsigned long long), work.stream);
  for (std::size_t copy = 0; copy < work.copies(); ++copy) {
    const std::int64_t satisfied = work.lattice.bonds() - 2 * static_cast<std::int64_t>(broken[copy]);
    energies.push_back(-satisfied * work.bond);
  }
  sums.spins.planes = planes(work, spins_.data());
  sums.pairs.planes.resize(work.pairs);
  for (const Ring& ring : work.rings) {
    launch_ring_overlaps(work.job, spins_.data(), ring.distance, ring.mask, field_.data(), work.stream);
    std::vector<std::vector<std::int64_t>> of_ring = planes(work, field_.data());
    std::int64_t fields = 0;
    for (std::size_t copy = 0; copy < work.copies(); ++copy) {
      if (ring.pair[copy] == none) continue;
      sums.pairs.planes[ring.pair[copy]] = std::move(of_ring[copy]);
      ++fields;
    }
    add_lags(work, field_.data(), true, fields, sums.pairs.lags);
  }
}

void DeviceCopySeries::measure_reference(const Work& work, FieldSums& sums) {
  launch_spins_of_slot(work.job, work.slot, spins_.data(), work.stream);
  launch_kept_overlaps(work.job, work.slot, spins_.data(), kept_.data(), field_.data(), work.stream);
  sums.planes = planes(work, field_.data());
  add_lags(work, field_.data(), false, static_cast<std::int64_t>(work.copies()), sums.lags);
}

std::vector<std::vector<std::int64_t>> DeviceCopySeries::planes(const Work& work, const uint4* d_field) {
  launch_plane_counts(work.job, d_field, planes_.data(), work.stream);
  std::vector<std::uint32_t> down(work.lanes() * work.planes());
  staged_.to_host(down.data(), planes_.data(), down.size() * sizeof(std::uint32_t), work.stream);
  const std::int64_t sites = work.lattice.sites() / work.lattice.L;
  std::vector<std::vector<std::int64_t>> planes(work.copies(), std::vector<std::int64_t>(work.planes()));
  for (std::size_t copy = 0; copy < planes.size(); ++copy) {
    for (int axis = 0; axis < work.lattice.dim; ++axis) {
      for (int x = 0; x < work.lattice.L; ++x) {
        const std::uint32_t ones = down[copy * work.planes() + static_cast<std::size_t>(axis * work.lattice.L + x)];
        planes[copy][static_cast<std::size_t>(work.lattice.plane(axis, x))] = sites - 2 * std::int64_t{ones};
      }
    }
  }
  return planes;
}

void DeviceCopySeries::add_lags(const Work& work, const uint4* d_field, bool diagonals, std::int64_t fields,
                                LagSums& sums) {
  std::vector<Displacement> steps = lag_axes(work.lattice);
  const std::size_t axes = steps.size();
  if (diagonals) std::ranges::copy(lag_diagonals(work.lattice), std::back_inserter(steps));
  const std::size_t count = steps.size() * work.lags();
  check_cuda(cudaMemsetAsync(sums_.data(), 0, count * sizeof(unsigned long long), work.stream), "clearing memory");
  launch_lag_counts(work.job, d_field, directions_of(steps), sums_.data(), work.stream);
  std::vector<unsigned long long> different(count);
  staged_.to_host(different.data(), sums_.data(), count * sizeof(unsigned long long), work.stream);
  const std::int64_t terms = work.lattice.sites() * fields;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::int64_t>& to = i < axes ? sums.axis : sums.diagonal;
    to[0] += terms;
    for (std::size_t r = 1; r <= work.lags(); ++r) {
      const std::int64_t value = terms - 2 * static_cast<std::int64_t>(different[i * work.lags() + r - 1]);
      to[r] += value;
      if (r == 1 && i < axes) sums.link += value;  // a cube: the bonds are the displacements of one site
    }
  }
}

}}  // namespace glassworks::cuda

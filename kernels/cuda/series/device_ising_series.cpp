#include "kernels/cuda/series/device_ising_series.hpp"

#include <algorithm>
#include <iterator>

#include "base/threads.hpp"
#include "kernels/cuda/series/ising_bits.hpp"
#include "kernels/rounds/course.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/kept_spins.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace cuda {
namespace {

constexpr std::size_t most_fields = 65535;   ///< of a grid along y
constexpr double bytes_at_once = 256 << 20;  ///< of scratch memory, where one realization does not need more
constexpr int most_planes = 8192;            ///< whose counts fit into shared memory

std::size_t count(int n) { return static_cast<std::size_t>(n); }

/// Of one realization.
double bytes_of_task(const Chain& chain, std::size_t pairs, bool with_kept) {
  const IsingBits bits(chain.lattice);
  const double fields = static_cast<double>(chain.slots()) * std::max<double>(chain.copies, static_cast<double>(pairs));
  const double kept =
      with_kept ? static_cast<double>(chain.replicas()) * static_cast<double>(chain.lattice.sites()) / 8.0 + 8.0 : 0.0;
  const double counts = 4.0 * fields * bits.dim * bits.L;
  const double sums = 8.0 * chain.slots() * std::max<double>(chain.copies, LagDirections::most * bits.L / 2);
  return 4.0 * static_cast<double>(bits.size()) * (chain.replicas() + fields) + kept + counts + sums;
}

}  // namespace

struct DeviceIsingSeries::Work {
  const Chain& chain;
  std::span<const HeldTask> held;  ///< those that are measured now
  const DeviceBatch& batch;
  const SeriesLayout& layout;
  const std::vector<SeriesPair>& pairs;
  std::size_t references;
  int threads;
  IsingBits bits;
  IsingTasks tasks;
  cudaStream_t stream;

  [[nodiscard]] const Lattice& lattice() const { return chain.lattice; }
  [[nodiscard]] int most_of_group() const { return std::max(chain.copies, static_cast<int>(pairs.size())); }
  [[nodiscard]] std::size_t field_words() const { return static_cast<std::size_t>(bits.size()); }
  [[nodiscard]] std::size_t of_planes() const { return count(bits.dim * bits.L); }
  [[nodiscard]] std::size_t of_lags(bool diagonals) const { return steps(diagonals).size() * count(bits.L / 2); }
  [[nodiscard]] std::vector<Displacement> steps(bool diagonals) const {
    std::vector<Displacement> steps = lag_axes(lattice());
    if (diagonals) std::ranges::copy(lag_diagonals(lattice()), std::back_inserter(steps));
    return steps;
  }

  /// Sums of f over the planes of a field.
  [[nodiscard]] std::vector<std::int64_t> plane_sums(const std::vector<std::uint32_t>& down, std::size_t field) const {
    std::vector<std::int64_t> sums(count(lattice().planes()));
    const std::int64_t sites = lattice().sites() / bits.L;
    for (int axis = 0; axis < bits.dim; ++axis) {
      for (int x = 0; x < bits.L; ++x) {
        const std::uint32_t ones = down[field * of_planes() + count(axis * bits.L + x)];
        sums[count(lattice().plane(axis, x))] = sites - 2 * std::int64_t{ones};
      }
    }
    return sums;
  }
  /// Of the fields of a group.
  void put_lags(const std::vector<unsigned long long>& different, std::size_t group, int of_group, bool diagonals,
                LagSums& sums) const {
    const std::size_t lags = count(bits.L / 2), axes = lag_axes(lattice()).size(), all = of_lags(diagonals);
    const std::int64_t terms = lattice().sites() * of_group;
    for (std::size_t i = 0; i < all / lags; ++i) {
      std::vector<std::int64_t>& to = i < axes ? sums.axis : sums.diagonal;
      to[0] += terms;
      for (std::size_t r = 1; r <= lags; ++r) {
        const std::int64_t value = terms - 2 * static_cast<std::int64_t>(different[group * all + i * lags + r - 1]);
        to[r] += value;
        if (r == 1 && i < axes) sums.link += value;  // a cube: the bonds are the displacements of one site
      }
    }
  }
};

bool DeviceIsingSeries::measures(const Chain& chain) {
  const Lattice& lattice = chain.lattice;
  return chain.model.kind == ModelKind::ising && !chain.model.diluted && !exchanges_move_replicas(chain) &&
         lattice.kind == LatticeKind::hypercubic && lattice.is_cube() && lattice.open == 0 && lattice.L > 1 &&
         lattice.dim > 1 && lattice.dim * lattice.L <= most_planes;
}

double DeviceIsingSeries::bytes(const Chain& chain) {
  if (chain.course == nullptr || !measures(chain)) return 0.0;
  const std::size_t pairs = chain.copies > 1 ? series_pairs(chain.copies, chain.course->pairs).size() : 0;
  return std::max(bytes_at_once, bytes_of_task(chain, pairs, !chain.course->references.empty()));
}

bool DeviceIsingSeries::measure(const Chain& chain, std::span<const HeldTask> tasks, const DeviceBatch& batch,
                                std::size_t first, const SeriesLayout& layout,
                                std::span<const std::vector<KeptSpins>> kept, int threads, std::span<double> rows,
                                cudaStream_t stream) {
  if (!measures(chain) || kept.empty() || batch.d_absent != nullptr) return false;
  const std::size_t references = kept.front().size();
  for (const std::vector<KeptSpins>& of_task : kept) {
    if (of_task.size() != references) return false;
  }
  const std::vector<SeriesPair> pairs =
      chain.copies > 1 ? series_pairs(chain.copies, layout.shape().pairs) : std::vector<SeriesPair>();
  const std::size_t fields = count(chain.slots()) * std::max(count(chain.copies), pairs.size());
  const double bytes = bytes_of_task(chain, pairs.size(), references > 0);
  const auto at_once = std::clamp<std::size_t>(static_cast<std::size_t>(bytes_at_once / bytes), 1, kept.size());
  const std::size_t step = std::min(at_once, most_fields / fields);
  if (step == 0) return false;
  const auto rows_of_task = count(chain.slots() * layout.size());
  for (std::size_t task = 0; task < kept.size(); task += step) {
    const std::size_t n = std::min(step, kept.size() - task);
    const Work work{chain,
                    tasks.subspan(first + task, n),
                    batch,
                    layout,
                    pairs,
                    references,
                    threads,
                    IsingBits(chain.lattice),
                    {static_cast<int>(first + task), static_cast<int>(n), chain.slots(), chain.copies},
                    stream};
    if (task == 0 && !reserve(work)) return false;
    measure_part(work, kept.subspan(task, n), rows.subspan(task * rows_of_task, n * rows_of_task));
  }
  return true;
}

/// For as many tasks as the first part has.
bool DeviceIsingSeries::reserve(const Work& work) {
  const std::size_t groups = count(work.tasks.groups()), fields = groups * count(work.most_of_group());
  try {
    (void)spins_.reserve(groups * count(work.chain.copies) * work.field_words());
    (void)overlaps_.reserve(fields * work.field_words());
    (void)planes_.reserve(fields * work.of_planes());
    (void)sums_.reserve(std::max(groups * work.of_lags(true), groups * count(work.chain.copies)));
    if (work.references > 0) (void)kept_.reserve(2 * kept_words(work.chain) * count(work.tasks.tasks));
    if (work.pairs.empty()) return true;
    auto* const d_pairs = pairs_.reserve(work.pairs.size());
    staged_.to_device(d_pairs, work.pairs.data(), work.pairs.size() * sizeof(SeriesPair), work.stream);
  } catch (const CudaError&) {
    return false;
  }
  return true;
}

void DeviceIsingSeries::measure_part(const Work& work, std::span<const std::vector<KeptSpins>> kept,
                                     std::span<double> rows) {
  const int copies = work.chain.copies, slots = work.chain.slots(), pairs = static_cast<int>(work.pairs.size());
  launch_pack_states(work.bits, work.tasks, work.batch.d_states, spins_.data(), work.stream);
  const std::vector<unsigned long long> minus_energy = energies(work);
  const std::vector<std::uint32_t> spin_planes = planes(work, copies, spins_.data());
  std::vector<DiscreteSums> sums(count(work.tasks.groups()), DiscreteSums(work.lattice()));
  const auto put = [&](const std::vector<std::uint32_t>& down, int of_group, std::size_t group, FieldSums& to) {
    for (std::size_t i = 0; i < count(of_group); ++i) {
      to.planes.push_back(work.plane_sums(down, group * count(of_group) + i));
    }
  };
  std::vector<std::uint32_t> pair_planes;
  std::vector<unsigned long long> pair_lags;
  if (pairs > 0) {
    launch_pair_overlaps(work.bits, work.tasks, spins_.data(), pairs_.data(), pairs, overlaps_.data(), work.stream);
    pair_planes = planes(work, pairs, overlaps_.data());
    pair_lags = lags(work, pairs, true, overlaps_.data());
  }
  std::vector<std::vector<std::uint32_t>> kept_planes;
  std::vector<std::vector<unsigned long long>> kept_lags;
  const auto words = static_cast<std::int64_t>(2 * kept_words(work.chain));
  for (std::size_t t = 0; t < work.references; ++t) {
    for (std::size_t task = 0; task < kept.size(); ++task) {
      const std::vector<std::uint64_t>& then = kept[task][t].bits;
      staged_.to_device(kept_.data() + task * static_cast<std::size_t>(words), then.data(),
                        then.size() * sizeof(std::uint64_t), work.stream);
    }
    launch_kept_states(work.bits, work.tasks, spins_.data(), kept_.data(), words, overlaps_.data(), work.stream);
    kept_planes.push_back(planes(work, copies, overlaps_.data()));
    kept_lags.push_back(lags(work, copies, false, overlaps_.data()));
  }
  std::ranges::fill(rows, 0.0);
  parallel_for(sums.size(), work.threads, [&](std::size_t group) {
    DiscreteSums& of_group = sums[group];
    put(spin_planes, copies, group, of_group.spins);
    if (pairs > 0) {
      put(pair_planes, pairs, group, of_group.pairs);
      work.put_lags(pair_lags, group, pairs, true, of_group.pairs.lags);
    }
    for (std::size_t t = 0; t < work.references; ++t) {
      FieldSums& reference = of_group.references.emplace_back(work.lattice());
      put(kept_planes[t], copies, group, reference);
      work.put_lags(kept_lags[t], group, copies, false, reference.lags);
    }
    std::vector<std::int64_t> energy;
    for (std::size_t copy = 0; copy < count(copies); ++copy) {
      energy.push_back(-static_cast<std::int64_t>(minus_energy[group * count(copies) + copy]));
    }
    double* const row = rows.data() + group * count(work.layout.size());
    put_energies(work.layout, work.held[group / count(slots)].disorder->energy_scale, energy, row);
    put_discrete(work.layout, of_group, row);
  });
}

std::vector<std::uint32_t> DeviceIsingSeries::planes(const Work& work, int of_group, const std::uint32_t* d_fields) {
  const int fields = work.tasks.groups() * of_group;
  std::vector<std::uint32_t> down(count(fields) * work.of_planes());
  check_cuda(cudaMemsetAsync(planes_.data(), 0, down.size() * sizeof(std::uint32_t), work.stream), "clearing memory");
  launch_bit_planes(work.bits, fields, d_fields, planes_.data(), work.stream);
  staged_.to_host(down.data(), planes_.data(), down.size() * sizeof(std::uint32_t), work.stream);
  return down;
}

std::vector<unsigned long long> DeviceIsingSeries::lags(const Work& work, int of_group, bool diagonals,
                                                        const std::uint32_t* d_fields) {
  std::vector<unsigned long long> different(count(work.tasks.groups()) * work.of_lags(diagonals));
  const std::size_t bytes = different.size() * sizeof(unsigned long long);
  check_cuda(cudaMemsetAsync(sums_.data(), 0, bytes, work.stream), "clearing memory");
  launch_bit_lags(work.bits, work.tasks.groups(), of_group, LagDirections(work.steps(diagonals), 1, work.bits.L / 2),
                  d_fields, sums_.data(), work.stream);
  staged_.to_host(different.data(), sums_.data(), bytes, work.stream);
  return different;
}

std::vector<unsigned long long> DeviceIsingSeries::energies(const Work& work) {
  std::vector<unsigned long long> sums(count(work.tasks.groups()) * count(work.chain.copies));
  const std::size_t bytes = sums.size() * sizeof(unsigned long long);
  check_cuda(cudaMemsetAsync(sums_.data(), 0, bytes, work.stream), "clearing memory");
  launch_ising_energies(work.batch, work.tasks, sums_.data(), work.stream);
  staged_.to_host(sums.data(), sums_.data(), bytes, work.stream);
  return sums;
}

}}  // namespace glassworks::cuda

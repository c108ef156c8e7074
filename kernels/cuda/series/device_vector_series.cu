#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "kernels/cuda/series/device_vector_series.hpp"
#include "kernels/cuda/series/fill_kernels.cuh"
#include "kernels/cuda/series/sum_kernels.cuh"
#include "kernels/rounds/course.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace cuda {

/// The measurement of one task, slot by slot. All launches follow each other in a stream, so that scratch memory is
/// used again.
template <int n>
class VectorSlots {
 public:
  /// Throws CudaError where memory is short, before any work.
  VectorSlots(DeviceVectorSeries& memory, const Chain& chain, const Disorder& disorder, const DeviceBatch& batch,
              std::size_t task, const SeriesLayout& layout, std::span<const KeptSpins> kept, cudaStream_t stream)
      : memory_(memory),
        chain_(chain),
        disorder_(disorder),
        layout_(layout),
        kept_(kept),
        stream_(stream),
        lattice_(chain.lattice),
        places_(layout, kept.size()),
        pairs_(chain.copies > 1 ? series_pairs(chain.copies, layout.shape().pairs) : std::vector<SeriesPair>()),
        sites_(lattice_.sites),
        copies_(static_cast<unsigned>(chain.copies)),
        replica_(static_cast<std::size_t>(n) * sites_),
        stride_(static_cast<std::size_t>(chain.slots()) * replica_) {
    const auto replicas = static_cast<std::size_t>(chain.replicas()), count = std::size_t{copies_} * sites_;
    sum_count_ = replicas + static_cast<std::size_t>(chain.slots()) * places_.size;
    d_sums_ = memory.sums_.reserve(sum_count_);
    constexpr std::size_t in_word = sizeof(short4) / sizeof(PackedSpin<n>);
    const std::size_t words = (count + in_word - 1) / in_word;
    short4* d_spins = memory.spins_.reserve(kept.empty() ? words : 2 * words);
    d_now_ = reinterpret_cast<PackedSpin<n>*>(d_spins);
    d_then_ = reinterpret_cast<PackedSpin<n>*>(d_spins + words);
    if (places_.orientations > 0 || !kept.empty()) d_numbers_ = memory.numbers_.reserve(count);
    if (!kept.empty()) d_floats_ = memory.floats_.reserve(replica_);
    const auto of_batch = static_cast<int>(task);
    of_task_ = {batch.spins_of(of_batch, 0),
                batch.d_couplings != nullptr ? batch.couplings_of(of_batch) : nullptr,
                batch.coupling,
                batch.d_fields != nullptr ? batch.fields_of(of_batch) : nullptr,
                batch.d_axes != nullptr ? batch.axes_of(of_batch) : nullptr,
                batch.anisotropy,
                sites_};
    if (!pairs_.empty()) {
      d_pairs_ = memory.pairs_.reserve(pairs_.size());
      memory.staged_.to_device(d_pairs_, pairs_.data(), pairs_.size() * sizeof(SeriesPair), stream);
    }
    check_cuda(cudaMemsetAsync(d_sums_, 0, sum_count_ * sizeof(unsigned long long), stream), "clearing memory");
  }

  void measure(std::span<double> rows) {
    add_energies();
    for (int slot = 0; slot < chain_.slots(); ++slot) add_slot(slot);
    std::vector<std::int64_t> sums(sum_count_);
    memory_.staged_.to_host(sums.data(), d_sums_, sum_count_ * sizeof(std::int64_t), stream_);
    std::ranges::fill(rows, 0.0);
    const std::span<const std::int64_t> all(sums);
    for (int slot = 0; slot < chain_.slots(); ++slot) {
      double* row = rows.data() + static_cast<std::ptrdiff_t>(slot) * layout_.size();
      std::vector<std::int64_t> energies;
      for (int copy = 0; copy < chain_.copies; ++copy) {
        energies.push_back(-all[static_cast<std::size_t>(copy * chain_.slots() + slot)]);
      }
      put_energies(layout_, disorder_.energy_scale, energies, row);
      put_vectors(layout_, places_, all.subspan(first_of(slot), places_.size), row);
    }
  }

 private:
  static constexpr unsigned threads = 256;

  /// Where the sums of a slot begin: behind the energies.
  [[nodiscard]] std::size_t first_of(int slot) const {
    return static_cast<std::size_t>(chain_.replicas()) + static_cast<std::size_t>(slot) * places_.size;
  }
  [[nodiscard]] SitesOnDevice<n> sites_of(int slot) const {
    SitesOnDevice<n> sites = of_task_;
    sites.spins += static_cast<std::size_t>(slot) * replica_;
    return sites;
  }
  [[nodiscard]] dim3 grid_of_copies() const { return blocks_for(std::size_t{copies_} * sites_, threads); }

  void add_energies() {
    const unsigned blocks = std::clamp(sites_ / (8 * threads), 1U, 64U);
    launch_kernel("measuring energies", series_energy_kernel<n>,
                  dim3(blocks * static_cast<unsigned>(chain_.replicas())), threads, 0, stream_, chain_.lattice,
                  chain_.model, of_task_, replica_, disorder_.energy_scale.multiplier(), blocks, d_sums_);
  }

  void add_slot(int slot) {
    const SitesOnDevice<n> sites = sites_of(slot);
    unsigned long long* const d_slot = d_sums_ + first_of(slot);
    launch_kernel("rounding spins", pack_spins_kernel<n>, grid_of_copies(), threads, 0, stream_, sites.spins, stride_,
                  sites_, copies_, d_now_);
    add_planes(MagnetizationPlanes<n>{sites.spins, stride_, sites_}, copies_, d_slot + places_.magnetization);
    if (copies_ > 1) {
      const SpinLags<n> spins{d_now_, sites_};
      add_planes(OverlapPlanes<n>{d_now_, d_pairs_, sites_}, pairs_.size(), d_slot + places_.overlap);
      add_profile(spins, places_.axes, d_slot + places_.axis);
      add_profile(spins, places_.diagonals, d_slot + places_.diagonal);
      add_links(spins, d_slot + places_.link);
      if constexpr (n < 4) add_chirality(sites, d_slot);
    }
    for (std::size_t t = 0; t < kept_.size(); ++t) add_reference(slot, t, d_slot);
  }

  void add_chirality(const SitesOnDevice<n>& sites, unsigned long long* d_slot) {
    const std::size_t of_planes = pairs_.size() * places_.of_planes();
    const std::size_t of_lags = places_.axes.size() * places_.of_lags();
    for (int mu = 0; mu < places_.orientations; ++mu) {
      const auto orientation = static_cast<std::size_t>(mu);
      launch_kernel("forming chiralities", chirality_kernel<n>, grid_of_copies(), threads, 0, stream_, chain_.lattice,
                    sites, stride_, copies_, mu, d_numbers_);
      add_planes(ChiralPlanes{d_numbers_, d_pairs_, sites_}, pairs_.size(),
                 d_slot + places_.chirality + orientation * of_planes);
      add_profile(ChiralLags{d_numbers_, sites_}, places_.axes, d_slot + places_.chiral_axis + orientation * of_lags);
    }
  }

  void add_reference(int slot, std::size_t t, unsigned long long* d_slot) {
    for (unsigned copy = 0; copy < copies_; ++copy) {
      const std::size_t replica =
          std::size_t{copy} * static_cast<std::size_t>(chain_.slots()) + static_cast<std::size_t>(slot);
      memory_.staged_.to_device(d_floats_, kept_[t].spins.data() + replica * replica_, replica_ * sizeof(float),
                                stream_);
      launch_kernel("rounding spins", pack_spins_kernel<n>, blocks_for(sites_, threads), threads, 0, stream_, d_floats_,
                    replica_, sites_, 1U, d_then_ + std::size_t{copy} * sites_);
    }
    launch_kernel("comparing spins", correlation_kernel<n>, grid_of_copies(), threads, 0, stream_, d_now_, d_then_,
                  std::size_t{copies_} * sites_, d_numbers_);
    add_planes(CorrelationPlanes{d_numbers_, sites_}, copies_,
               d_slot + places_.correlation + t * copies_ * places_.of_planes());
    add_links(TwoTimeLags<n>{d_now_, d_then_, sites_},
              d_slot + places_.link_correlation + t * static_cast<std::size_t>(places_.bonds));
    add_profile(CorrelationLags{d_numbers_, sites_}, places_.axes,
                d_slot + places_.c22 + t * places_.axes.size() * places_.of_lags());
  }

  template <class Field>
  void add_planes(const Field& field, std::size_t items, unsigned long long* d_to) {
    const auto planes = static_cast<unsigned>(places_.planes);
    launch_kernel("adding up planes", plane_kernel<Field>, dim3(static_cast<unsigned>(items) * planes), threads, 0,
                  stream_, lattice_, field, planes, d_to);
  }
  template <class Fields>
  void add_profile(const Fields& fields, std::span<const Displacement> steps, unsigned long long* d_to) {
    if (!steps.empty()) add_lags(fields, {steps, 0, places_.lags}, d_to);
  }
  template <class Fields>
  void add_links(const Fields& fields, unsigned long long* d_to) {
    std::vector<Displacement> steps;
    for (int bond = 0; bond < places_.bonds; ++bond) steps.push_back(bond_displacement(chain_.lattice, bond));
    add_lags(fields, {steps, 1, 1}, d_to);
  }
  template <class Fields>
  void add_lags(const Fields& fields, const LagDirections& directions, unsigned long long* d_to) {
    const auto copies = static_cast<int>(copies_);
    if constexpr (Fields::of_pairs) {
      if (pairs_.size() < std::size_t{copies_} * (copies_ - 1) / 2) {
        const unsigned few = copies_ <= 128 ? 128 : 32;  // whose shared memory no device lacks
        launch_kernel("correlating pairs", chosen_lag_kernel<Fields>, LagBlock::grid(lattice_, directions, few), few,
                      copies_ * few * sizeof(std::int16_t), stream_, lattice_, directions, fields, copies, d_pairs_,
                      static_cast<int>(pairs_.size()), d_to);
        return;
      }
    }
    launch_kernel("correlating sites", lag_kernel<Fields>, LagBlock::grid(lattice_, directions, threads), threads, 0,
                  stream_, lattice_, directions, fields, copies, d_to);
  }

  DeviceVectorSeries& memory_;
  const Chain& chain_;
  const Disorder& disorder_;
  const SeriesLayout& layout_;
  std::span<const KeptSpins> kept_;
  cudaStream_t stream_;
  LagLattice lattice_;
  VectorSumLayout places_;
  std::vector<SeriesPair> pairs_;
  unsigned sites_, copies_;
  std::size_t replica_, stride_;  ///< floats of a replica, and from copy to copy
  std::size_t sum_count_ = 0;
  SitesOnDevice<n> of_task_;           ///< of its first replica
  unsigned long long* d_sums_;         ///< minus the energies [replica], then [slot][VectorSumLayout]
  PackedSpin<n>*d_now_, *d_then_;      ///< [copy][site]
  std::int16_t* d_numbers_ = nullptr;  ///< [copy][site]
  float* d_floats_ = nullptr;          ///< a replica at a reference time
  SeriesPair* d_pairs_ = nullptr;
};

double DeviceVectorSeries::bytes(const Chain& chain) {
  if (chain.course == nullptr || !is_unit_vector(chain.model) || chain.model.is_discrete()) return 0.0;
  if (chain.lattice.is_graph()) return 0.0;  // the host measures
  const SeriesLayout layout({chain.model, chain.lattice, chain.copies, chain.course->pairs, chain.course->references});
  const std::size_t references = chain.course->references.size();
  const auto sites = static_cast<double>(chain.lattice.sites()), copies = static_cast<double>(chain.copies);
  const double sums =
      static_cast<double>(chain.replicas()) +
      static_cast<double>(chain.slots()) * static_cast<double>(VectorSumLayout(layout, references).size);
  const double spins = (references > 0 ? 2.0 : 1.0) * sizeof(short4) * copies * sites;
  const double then = references > 0 ? 4.0 * components_of(chain.model) * sites : 0.0;
  return 8.0 * sums + spins + 2.0 * copies * sites + then;
}

bool DeviceVectorSeries::measure(const Chain& chain, const Disorder& disorder, const DeviceBatch& batch,
                                 std::size_t task, const SeriesLayout& layout, std::span<const KeptSpins> kept,
                                 std::span<double> rows, cudaStream_t stream) {
  if (!is_unit_vector(chain.model) || chain.model.is_discrete() || exchanges_move_replicas(chain)) return false;
  if (chain.lattice.is_graph()) return false;
  const auto measure_slots = [&]<int n>(std::integral_constant<int, n>) {
    std::optional<VectorSlots<n>> slots;
    try {
      slots.emplace(*this, chain, disorder, batch, task, layout, kept, stream);
    } catch (const CudaError&) {
      return false;
    }
    slots->measure(rows);
    return true;
  };
  switch (components_of(chain.model)) {
    case 2:
      return measure_slots(std::integral_constant<int, 2>{});
    case 3:
      return measure_slots(std::integral_constant<int, 3>{});
    case 4:
      return measure_slots(std::integral_constant<int, 4>{});
    default:
      return false;
  }
}

}}  // namespace glassworks::cuda

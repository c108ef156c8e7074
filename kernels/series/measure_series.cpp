#include "kernels/series/measure_series.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/threads.hpp"
#include "kernels/rounds/exchange.hpp"
#include "kernels/rounds/line_square.hpp"
#include "kernels/series/discrete_sums.hpp"
#include "kernels/series/ising_energy.hpp"
#include "kernels/series/replica_energy.hpp"
#include "kernels/series/series_sums.hpp"

namespace glassworks { inline namespace series {
namespace {

/// Energies of all replicas [energy scale].
std::vector<std::int64_t> energies_of_replicas(const SeriesInput& in, const IsingEnergy* ising) {
  const auto n = static_cast<std::size_t>(in.chain.lattice.sites());
  const auto components = static_cast<std::size_t>(components_of(in.chain.model));
  std::vector<std::int64_t> energies(static_cast<std::size_t>(in.chain.replicas()));
  std::optional<IsingEnergy> own;
  if (IsingEnergy::measures(in.chain) && ising == nullptr) ising = &own.emplace(in.chain.lattice, in.disorder);
  parallel_for(energies.size(), in.threads, [&](std::size_t replica) {
    if (ising != nullptr) {
      energies[replica] = ising->of(in.state.states.data() + replica * n);
      return;
    }
    const bool discrete = in.chain.model.is_discrete();
    energies[replica] =
        replica_energy(in.chain, in.disorder, discrete ? nullptr : in.state.spins.data() + replica * components * n,
                       discrete ? in.state.states.data() + replica * n : nullptr);
  });
  return energies;
}

std::vector<std::int64_t> energies_of_slot(const SeriesInput& in, const std::vector<std::int64_t>& energies, int slot) {
  std::vector<std::int64_t> of_slot;
  for (int copy = 0; copy < in.chain.copies; ++copy) {
    of_slot.push_back(energies[static_cast<std::size_t>(in.replica(copy, slot))]);
  }
  return of_slot;
}

}  // namespace

int useful_threads(const Chain& chain, int threads) {
  constexpr std::int64_t spins_of_thread = 16384, bits_of_thread = 1 << 20;
  const std::int64_t spins = chain.lattice.sites() * chain.copies;
  const bool few_bits = chain.model.kind == ModelKind::ising && chain.copies <= 4;
  return static_cast<int>(
      std::clamp<std::int64_t>(spins / (few_bits ? bits_of_thread : spins_of_thread), 1, std::max(threads, 1)));
}

void put_energies(const SeriesLayout& layout, const FixedScale& energy_scale, std::span<const std::int64_t> energies,
                  double* row) {
  std::int64_t sum = 0;
  double squares = 0.0;
  const double unit = energy_scale.unit() / static_cast<double>(layout.shape().lattice.sites());
  for (const std::int64_t E : energies) {
    const double e = static_cast<double>(E) * unit;
    sum += E;
    squares += e * e;
  }
  const int copies = layout.shape().copies;
  row[layout.at(SeriesQuantity::energy)] = static_cast<double>(sum) * unit / copies;
  row[layout.at(SeriesQuantity::energy_squared)] = squares / copies;
}

void put_profile(const SeriesLayout& layout, SeriesQuantity q, int reference, std::span<const std::int64_t> sums,
                 std::span<const Displacement> steps, double scale, double fields, double* row) {
  for (int r = 0; r < layout.lags(); ++r) {
    std::int64_t terms = 0;
    for (const Displacement& step : steps) terms += lag_terms(layout.shape().lattice, times(r, step));
    row[layout.at(q, r, reference)] =
        static_cast<double>(sums[static_cast<std::size_t>(r)]) * scale / (static_cast<double>(terms) * fields);
  }
}

double KminSquares::along(int axis, std::span<const std::int64_t> planes, double scale) const {
  return line_square(lattice_.longest(), scale, phase_.cosine.data(), phase_.sine.data(), [&](int x) {
    return static_cast<double>(planes[static_cast<std::size_t>(lattice_.plane(axis, x))]);
  });
}

double KminSquares::mean(std::span<const std::int64_t> planes, double scale) const {
  double sum = 0.0;
  int axes = 0;
  for (int axis = 0; axis < lattice_.dim; ++axis) {
    if (lattice_.length(axis) != lattice_.longest()) continue;
    sum += along(axis, planes, scale);
    ++axes;
  }
  return sum / axes;
}

double divisor_of_bonds(const Lattice& lattice) {
  return static_cast<double>(std::max<std::int64_t>(lattice.bonds(), 1));
}

std::int64_t total_of(const Lattice& lattice, std::span<const std::int64_t> planes) {
  std::int64_t sum = 0;
  for (int x = 0; x < lattice.length(0); ++x) sum += planes[static_cast<std::size_t>(x)];
  return sum;
}

void measure_series(const Chain& chain, const Disorder& disorder, const ChainState& state,
                    std::span<const KeptSpins> kept, const SeriesLayout& layout, int threads, std::span<double> rows,
                    const IsingEnergy* energy) {
  const SeriesShape& shape = layout.shape();
  if (exchanges_move_replicas(chain)) {
    throw std::logic_error("measure_series: replicas of this chain leave their slots");
  }
  if (!(shape.model == chain.model) || !(shape.lattice == chain.lattice) || shape.copies != chain.copies ||
      static_cast<int>(kept.size()) > layout.references() ||
      rows.size() != static_cast<std::size_t>(chain.slots()) * static_cast<std::size_t>(layout.size())) {
    throw std::logic_error("measure_series: the layout is that of another chain");
  }
  const SeriesInput in{chain,
                       disorder,
                       state,
                       kept,
                       layout,
                       *available_lag_kernels().back(),
                       useful_threads(chain, threads),
                       series_pairs(shape.copies, shape.pairs),
                       rows_of_sites(chain.lattice)};
  std::fill(rows.begin(), rows.end(), 0.0);
  const std::vector<std::int64_t> energies = energies_of_replicas(in, energy);
  for (int slot = 0; slot < chain.slots(); ++slot) {
    double* row = rows.data() + static_cast<std::ptrdiff_t>(slot) * layout.size();
    put_energies(layout, disorder.energy_scale, energies_of_slot(in, energies, slot), row);
    if (order_parameter_of(chain.model) == OrderParameter::vector) {
      measure_vectors(in, slot, row);
    } else {
      measure_bits(in, slot, row);
    }
  }
}

}}  // namespace glassworks::series

#include "analysis/diagnostics/identity_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/statistics/figure_parts.hpp"

namespace glassworks { inline namespace analysis {
namespace {

/// End of a bin in rounds: 1, 2, 4, 8, ...; it begins where the one before ends, the first at 0.
std::size_t end_of(std::size_t bin) { return std::size_t{1} << bin; }
std::size_t begin_of(std::size_t bin) { return bin == 0 ? 0 : end_of(bin - 1); }

}  // namespace

IdentityHistory::IdentityHistory(std::shared_ptr<const DiagnosedSize> size)
    : size_(std::move(size)),
      slots_(shown_slots(size_->slots())),
      columns_(IdentityColumns::of(size_->config, size_->columns)) {}

std::vector<IdentityHistory::Sides> IdentityHistory::average(std::span<const RoundRow> rounds) const {
  std::vector<Sides> sides;
  for (const std::size_t slot : slots_) {
    const double half_z = size_->config.lattice(size_->L).bonds_per_site(), beta = 1.0 / size_->temperatures[slot];
    double energy = 0.0, other = 0.0;
    for (const RoundRow& row : rounds) {
      const std::span<const double> bin = size_->bin(row, slot);
      energy += columns_->energy_side(bin);
      other += columns_->overlap_side(bin, half_z, beta);
    }
    const auto n = static_cast<double>(rounds.size());
    sides.push_back({energy / n, other / n});
  }
  return sides;
}

void IdentityHistory::add(const RealizationRow& row, std::span<const RoundRow> rounds) {
  if (!exists() || rounds.empty()) return;
  History history;
  for (std::size_t bin = 0; end_of(bin) <= rounds.size(); ++bin) {
    history.bins.push_back(average(rounds.subspan(begin_of(bin), end_of(bin) - begin_of(bin))));
  }
  if (row.status == RealizationStatus::converged) history.last_half = average(rounds.subspan(rounds.size() / 2));
  histories_.insert_or_assign(row.key.realization, std::move(history));
}

std::vector<IdentityPoint> IdentityHistory::points(std::size_t place) const {
  std::size_t bins = 0;
  for (const auto& [realization, history] : histories_) bins = std::max(bins, history.bins.size());
  const double sweeps_per_round = size_->sweeps_per_measurement() * measurements_of_L(size_->config, size_->L);
  std::vector<IdentityPoint> points;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    std::vector<double> energy, other, difference, present;
    for (const auto& [realization, history] : histories_) {
      const bool has_it = bin < history.bins.size();
      if (!has_it && history.last_half.empty()) continue;
      const Sides& sides = has_it ? history.bins[bin][place] : history.last_half[place];
      energy.push_back(sides[0]);
      other.push_back(sides[1]);
      difference.push_back(sides[0] - sides[1]);
      if (has_it) present.push_back(difference.back());
    }
    points.push_back({sweeps_per_round * static_cast<double>(end_of(bin)), mean_over_realizations(energy),
                      mean_over_realizations(other), mean_over_realizations(difference),
                      mean_over_realizations(present)});
  }
  return points;
}

Figure IdentityHistory::sides_figure() const {
  Figure figure{
      fmt::format("identity_history_L{}", size_->L),
      fmt::format("Both sides of the identity against Monte Carlo time, L = {}", size_->L),
      "Bond energy U_{J} (points) and -(z/2) β [q_{s} - q_{l}] (lines) in logarithmic bins of Monte Carlo time, "
      "disorder averages with standard errors; q_{s} = 1 for Ising spins. They are equal in equilibrium for Gaussian "
      "couplings. From a random start U_{J} comes from above and the other side from below: a gap at the right end "
      "means that the campaign is too short at that temperature. Realizations that have converged stand in later bins "
      "with the mean of the last half of their history.",
      {"sweeps per spin", true},
      {"energy per site", false}};
  for (std::size_t place = 0; place < slots_.size(); ++place) {
    const std::string T = temperature_label(size_->temperatures[slots_[place]]);
    Series energy = make_series("U_{J}, " + T, SeriesStyle::points);
    Series other = make_series("-(z/2) β [q_{s} - q_{l}], " + T, SeriesStyle::points_and_line);
    for (const IdentityPoint& p : points(place)) {
      add_point(energy, p.sweeps, p.bond_energy);
      add_point(other, p.sweeps, p.other_side);
    }
    figure.series.push_back(std::move(energy));
    figure.series.push_back(std::move(other));
  }
  return figure;
}

Figure IdentityHistory::difference_figure() const {
  Figure figure{
      fmt::format("identity_difference_history_L{}", size_->L),
      fmt::format("Difference of the two sides of the identity against Monte Carlo time, L = {}", size_->L),
      "U_{J} + (z/2) β [q_{s} - q_{l}], paired within each realization, in logarithmic bins of Monte Carlo time. It "
      "falls to zero and must stay there: a value off zero by several standard errors in the last bins means that the "
      "disorder average is not in equilibrium. \"All\": a realization that has converged stands in later bins with the "
      "mean of the last half of its history. \"Still running\": only those that have run for so long, the hard ones; "
      "for such a selection the identity need not hold, so a deviation of these points alone is no alarm.",
      {"sweeps per spin", true},
      {"U_{J} + (z/2) β [q_{s} - q_{l}]", false}};
  figure.guides.push_back(horizontal_guide(0.0, "equilibrium"));
  for (std::size_t place = 0; place < slots_.size(); ++place) {
    const std::string T = temperature_label(size_->temperatures[slots_[place]]);
    Series all = make_series(T + ", all", SeriesStyle::points_and_line);
    Series present = make_series(T + ", still running", SeriesStyle::points);
    for (const IdentityPoint& p : points(place)) {
      add_point(all, p.sweeps, p.difference);
      if (p.difference_present.realizations < p.difference.realizations) {
        add_point(present, p.sweeps, p.difference_present);
      }
    }
    figure.series.push_back(std::move(all));
    add_series(figure, std::move(present));
  }
  return figure;
}

}}  // namespace glassworks::analysis

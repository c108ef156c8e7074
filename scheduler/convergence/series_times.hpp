#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/rounds/chain_observables.hpp"
#include "scheduler/convergence/walk_times.hpp"

namespace glassworks { inline namespace scheduler {

/// Whether the values of a series are not all the same.
[[nodiscard]] bool moves(std::span<const double> series);

/// Whether a series of an observable is 0 because nothing else is possible: the energy of sites without couplings.
[[nodiscard]] bool is_absent(const ChainObservables::Named& named, std::span<const double> series);

/// Integrated autocorrelation time of one series of round means m_r over M measurements each, of unknown mean:
///
///     tau(W) = M [ 1/2 + sum_{t=1}^{W} rho(t) ],   rho(t) = c(t)/c(0),
///     c(t) = 1/(n - t) sum_r (m_r - mbar)(m_{r+t} - mbar)
///
/// the largest of W' <= W at the smallest window W with W >= 6 tau/M, at most n/2; unresolved without one. The largest,
/// because the subtracted mean makes tau(W) of a drift fall again. At least M/2, the value of independent round means:
/// what is shorter than a round is not seen. A series that does not move shows no time: it is not resolved.
[[nodiscard]] WalkTime centred_time(std::span<const double> series, double measurements);

/// Autocorrelation times of the observables of a realization without exchanges between its slots.
struct SeriesTimes {
  struct Entry {
    const char* observable;
    int slot = 0;
    WalkTime time;
  };
  std::vector<Entry> entries;   ///< by observable, then slot
  std::size_t first_round = 0;  ///< rounds before it are left out

  [[nodiscard]] bool exist() const { return !entries.empty(); }
  /// The entry of the longest time; there is one if they exist.
  [[nodiscard]] const Entry& longest() const;
  /// Its time; resolved if all are.
  [[nodiscard]] WalkTime tau() const;
};

/// Time of an observable at the lowest temperatures.
struct ColdTime {
  const char* observable;
  WalkTime time;
  /// The larger of tau and a quarter of (tau plus four standard errors): n_tau of these are n_tau tau, and n_tau/4 of
  /// what tau may be at most [measurements].
  double upper = 0.5;
};

/// The same from equivalent series: rho(t) is the mean over those that move. What the subtracted mean takes away is
/// put back, tau(W) (1 + (2 W + 1)/n), and the error of tau is tau sqrt((4 W + 2)/n), that of one series: series of
/// neighbouring slots are not independent. Source: Wolff, Comput. Phys. Commun. 156, 143 (2004).
[[nodiscard]] ColdTime cold_time(const char* observable, std::span<const std::vector<double>> series,
                                 double measurements);

/// Slots that count as the coldest: an eighth of the ladder, at least two where there are two.
[[nodiscard]] inline int coldest_slots(int slots) { return std::min(slots, std::max(2, (slots + 7) / 8)); }

/// From rounds [n/8, n) of a history of equally long rounds, for ChainObservables::cold_timed: how long the spins at
/// the lowest temperatures remember, whatever the walk does.
[[nodiscard]] std::vector<ColdTime> cold_times(std::span<const RoundRow> rounds, int slots,
                                               const ChainObservables& observables);

/// Whether the slots of a realization are chains of their own, whose times are those of their observables: one slot, or
/// no exchange was tried in any round. Not heisenberg, where times are those of the temperature walk.
[[nodiscard]] bool has_independent_slots(std::span<const RoundRow> rounds, const ChainObservables& observables);

/// From rounds [n/8, n) of a history of equally long rounds, for ChainObservables::timed. Series of more than 1024
/// rounds are joined in groups, as in walk_times.
[[nodiscard]] SeriesTimes series_times(std::span<const RoundRow> rounds, int slots,
                                       const ChainObservables& observables);

}}  // namespace glassworks::scheduler

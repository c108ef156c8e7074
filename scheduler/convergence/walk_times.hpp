#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "db/database.hpp"

namespace glassworks { inline namespace scheduler {

/// Variance of each test function of the temperature walk (chain.hpp) over the ladder, (1/slots) sum_slot f(slot)^2: in
/// equilibrium every replica visits all slots equally often. 0 for a function that vanishes on this ladder.
[[nodiscard]] std::array<double, walk_functions> walk_variances(int slots);

/// Integrated autocorrelation time of a test function along the walk of a replica.
struct WalkTime {
  double tau = 0.5;       ///< [measurements]; at least 1/2, the value of independent measurements
  bool resolved = false;  ///< whether the history holds the window; if not, tau is what shows so far
  bool operator==(const WalkTime&) const = default;
};

/// Time of equivalent series of means m_r over M measurements each, of a function of zero mean and known variance
/// sigma^2:
///
///   tau(W) = M / (2 sigma^2) [ c(0) + 2 sum_{t=1}^{W} c(t) ],   c(t) = < 1/(n - t) sum_r m_r m_{r+t} >,
///
/// <.> the average over the series, at the smallest window W with W M >= 6 tau(W), at most n/2. No mean is subtracted,
/// so a walk that stays in one place has a time that grows with the history; and as sigma^2 is known, times below M are
/// resolved too. Source: Madras & Sokal, J. Stat. Phys. 50, 109 (1988), for the window.
///
/// series  at least one, all of the same length
[[nodiscard]] WalkTime integrated_time(std::span<const std::vector<double>> series, double variance,
                                       double measurements);

/// The same from c(t) itself, t = 0 .. n/2.
[[nodiscard]] WalkTime integrated_time(std::span<const double> correlation, double variance, double measurements);

/// The slowest of all functions of the slot that are sums of the test functions, f = sum_k w_k f_k.
///
/// For each the time is that of integrated_time, from C_kl(t) = < f_k f_l >(t) averaged over the replicas and
/// symmetrized; the largest one is an eigenvalue,
///
///   T(W) w = tau(W) V w,   T(W) = M/2 [ C(0) + 2 sum_{t=1}^{W} C(t) ],   V_kl = (1/slots) sum_slot f_k f_l,
///
/// at the smallest window W with W M >= 6 tau(W), at most n/2. Every tau_int is a lower bound of the exponential time,
/// so the largest is the best one. Source: Billoire et al., J. Stat. Mech. 033302 (2018), arXiv:1709.09829, who vary
/// the function in other families.
struct SlowestFunction {
  WalkTime time;
  std::array<double, walk_functions> weights{};  ///< w, with variance 1 over the ladder
  /// Of an exponential fitted to its correlation function, ln c(t) = const - t M / tau_exp with weights c(t)^2, where
  /// t >= 1, t M >= tau/2, t <= n/2 and c(t) > c(0)/10; none with fewer than three such t, where c falls faster than
  /// rounds resolve, or where it falls by less than a factor 1.5 in them. [measurements]
  std::optional<double> tau_exp;
};

/// Times of the temperature walk of all replicas of a realization.
///
/// In equilibrium the replicas are equivalent, so tau comes from the correlation function averaged over them: the time
/// of a single one is noisy, and the longest of many lies above the truth (about 5 times where the history is 20 tau
/// long). Each replica's own time is there to find one that does not move.
struct WalkTimes {
  std::array<WalkTime, walk_functions> of_all{};  ///< [function]
  std::vector<WalkTime> times;                    ///< of single replicas [replica][function]
  std::array<bool, walk_functions>
      has_function{};           ///< false for one that vanishes on this ladder; its times are not used
  std::size_t first_round = 0;  ///< rounds before it are left out
  std::optional<SlowestFunction> slowest_function = {};  ///< where walk_times_of_family made them

  /// A ladder of one slot has no walk.
  [[nodiscard]] bool exist() const { return !times.empty(); }
  [[nodiscard]] std::size_t replicas() const { return times.size() / walk_functions; }
  [[nodiscard]] const WalkTime& at(std::size_t replica, std::size_t function) const {
    return times[replica * walk_functions + function];
  }
  /// That of the slowest function, or the longest tau of the test functions, resolved if all are: each is a lower bound
  /// of the exponential autocorrelation time.
  [[nodiscard]] WalkTime tau() const;

  struct Slowest {
    std::size_t replica = 0;
    double tau = 0.0;  ///< [measurements]
  };
  /// The replica that moves least, by its longest time.
  [[nodiscard]] Slowest slowest() const;
};

/// From rounds [n/8, n) of a history of equally long rounds. Series of more than 1024 rounds are joined in groups: the
/// cost is at most 2^20 products per replica and function.
[[nodiscard]] WalkTimes walk_times(std::span<const RoundRow> rounds, int slots);

/// The same with the slowest function. Series of more than 256 rounds are joined in groups, which changes windows only:
/// at most 2^18 products per replica and pair of functions.
[[nodiscard]] WalkTimes walk_times_of_family(std::span<const RoundRow> rounds, int slots);

}}  // namespace glassworks::scheduler

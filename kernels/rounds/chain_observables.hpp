#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rounds/bin_layout.hpp"

namespace glassworks { inline namespace rounds {

/// Where the bins of a campaign, of this version or another, hold what is judged of a history. Asked for by names: what
/// there is decides.
class ChainObservables {
 public:
  explicit ChainObservables(const BinLayout& layout) : layout_(layout), names_(layout.names()) {}
  explicit ChainObservables(const Chain& chain) : ChainObservables(BinLayout(chain)) {}
  /// The same where bins hold the observables of these names, in this order: those of a campaign that another version
  /// began may be fewer, more or in other places. Throws std::runtime_error if the energy is not among them.
  ChainObservables(const BinLayout& layout, std::vector<std::string> stored);

  [[nodiscard]] const BinLayout& layout() const { return layout_; }
  /// The energy of one copy; none where bins do not hold it.
  [[nodiscard]] std::optional<int> energy_of_copy(int copy) const;
  /// Number of observables of a bin, and their names in its order.
  [[nodiscard]] int size() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// An observable by what people call it.
  struct Named {
    const char* name;
    int observable;
  };
  /// Observables whose round means are stationary in equilibrium: energy and |q|^2 for heisenberg; for the other models
  /// energy, m^2, with two copies or more q^2, and where |phi| varies phi^2.
  [[nodiscard]] std::vector<Named> stationary() const;
  /// Those whose autocorrelation times tell how long a history of a chain without exchanges is: energy, |m|, m^2,
  /// phi^2 where |phi| is free and, with two copies or more, q^2 and what there is of q_c^2. None of heisenberg, whose
  /// times are those of the temperature walk.
  [[nodiscard]] std::vector<Named> timed() const;

  /// The mean of some observables, by what people call it.
  struct Mean {
    const char* name;
    std::vector<int> observables;
  };
  /// All observables whose round means are stationary in equilibrium: energy; |q|^2 for heisenberg, for the other
  /// models m^2, q^2 (two copies or more) and phi^2 where |phi| varies; all but the last at k_min too, averaged over
  /// its axes. With a chirality, also q_c^2 at k = 0 and at k_min parallel and perpendicular to its axis.
  [[nodiscard]] std::vector<Mean> all_stationary() const;
  /// Those of all_stationary() that change in every history. For histories that have forgotten their start.
  [[nodiscard]] std::vector<Named> always_moving() const;
  /// Those whose times at the coldest slots tell whether spins follow the temperature walk: |q|^2 of heisenberg; q^2 of
  /// the other models, or m^2 with one copy; and q_c^2 where there is a chirality.
  [[nodiscard]] std::vector<Named> cold_timed() const;

 private:
  /// Where an observable stands in the bins.
  [[nodiscard]] std::optional<int> place(const std::string& name) const;
  /// The observables of {label, name} that the bins hold.
  [[nodiscard]] std::vector<Named> placed(const std::vector<std::pair<const char*, std::string>>& list) const;
  /// What orders, squared, at k = 0 and at the wave vectors of k_min: |q|^2 where there are overlaps of all components,
  /// else m^2, phi^2 where |phi| is free (k = 0 alone) and q^2.
  struct Order {
    const char *label, *label_kmin;
    std::string zero;
    std::vector<std::string> kmin;
  };
  [[nodiscard]] std::vector<Order> orders() const;
  BinLayout layout_;
  std::vector<std::string> names_;  ///< of the bins
};

}}  // namespace glassworks::rounds

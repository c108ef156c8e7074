#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rounds/chain.hpp"
#include "kernels/rounds/cluster_observables.hpp"
#include "kernels/rounds/observables.hpp"
#include "kernels/rounds/samples.hpp"

namespace glassworks { inline namespace rounds {

/// What the rounds of a chain hold, whatever its model: the observables of a bin (ObservableLayout or
/// ClusterObservables) and the quantities of a sample (SampleLayout; of the models of cluster updates every
/// observable).
class ChainObservables {
 public:
  /// local: what the campaign has beside the observables of its model; update: of single spins
  ChainObservables(const SpinModel& model, int dim, int copies, LocalSelection local = 0,
                   SiteRule update = SiteRule::heat_bath);
  explicit ChainObservables(const Chain& chain)
      : ChainObservables(chain.model, chain.lattice.dim, chain.copies, chain.local, chain.protocol.local) {}
  /// The same where bins hold the observables of these names, in this order: those of a campaign that another version
  /// began may be fewer, more or in other places. Throws std::runtime_error if the energy is not among them.
  ChainObservables(const SpinModel& model, int dim, int copies, LocalSelection local, std::vector<std::string> stored,
                   SiteRule update = SiteRule::heat_bath);
  /// Of heisenberg spins.
  ChainObservables(const ObservableLayout& layout) : ChainObservables(SpinModel{}, layout.dim(), layout.copies()) {}

  [[nodiscard]] const SpinModel& model() const { return model_; }
  /// Whether there are overlaps of all components and chiralities (ObservableLayout), not moments alone.
  [[nodiscard]] bool has_tensors() const { return measures_tensors(model_); }
  [[nodiscard]] int copies() const { return copies_; }
  /// The energy of one copy; none where bins do not hold it.
  [[nodiscard]] std::optional<int> energy_of_copy(int copy) const;

  /// Number of observables of a bin, and their names in its order.
  [[nodiscard]] int size() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The same of a sample.
  [[nodiscard]] int sample_size() const;
  [[nodiscard]] std::vector<std::string> sample_names() const;

  /// An observable by what people call it.
  struct Named {
    const char* name;
    int observable;
  };
  /// Those whose round means must stand still in equilibrium: energy and |q|^2 of heisenberg; energy, m^2, with
  /// two copies or more q^2, and where |phi| is free phi^2 of the other models.
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
  /// Those whose round means must stand still in equilibrium, in full: energy; of heisenberg |q|^2, of the other models
  /// m^2, q^2 (two copies or more) and phi^2 where |phi| is free; all but the last at k_min too, averaged over its
  /// axes. Where there is a chirality, q_c^2 at k = 0 and at k_min parallel and perpendicular to its axis.
  [[nodiscard]] std::vector<Mean> all_stationary() const;
  /// Those among them that no history leaves unchanged: of a history that has forgotten its start.
  [[nodiscard]] std::vector<Named> always_moving() const;
  /// Those whose times at the coldest slots tell whether spins follow the temperature walk: |q|^2 of heisenberg; q^2 of
  /// the other models, or m^2 with one copy; and q_c^2 where there is a chirality.
  [[nodiscard]] std::vector<Named> cold_timed() const;

 private:
  /// Where an observable stands in the bins.
  [[nodiscard]] std::optional<int> place(const std::string& name) const;
  /// The observables of {label, name} that the bins hold.
  [[nodiscard]] std::vector<Named> placed(const std::vector<std::pair<const char*, std::string>>& list) const;
  /// The name of phi^2 where |phi| is free; else none.
  [[nodiscard]] std::string modulus() const { return has_modulus(model_) ? "modulus_2" : ""; }

  SpinModel model_;
  int dim_, copies_;
  LocalSelection local_;
  SiteRule update_ = SiteRule::heat_bath;
  std::vector<std::string> names_;  ///< of the bins
};

}}  // namespace glassworks::rounds
